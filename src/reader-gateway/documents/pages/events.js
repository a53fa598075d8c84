/** Shows the AsyncAPI document: its channels, operations, messages and schemas. */

const place = document.getElementById('events');
const problem = document.getElementById('problem');

/** Texts come from the document: they are never read as HTML. */
function element(name, text, ...children) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  made.append(...children);
  return made;
}

function json(value) {
  return element('pre', JSON.stringify(value, null, 2));
}

/** What is behind a reference of the document. */
function resolve(asyncApi, { $ref }) {
  let found = asyncApi;
  for (const name of $ref.slice(2).split('/')) found = found[name];
  return found.$ref === undefined ? found : resolve(asyncApi, found);
}

const lastName = ({ $ref }) => $ref.slice($ref.lastIndexOf('/') + 1);

/** References as links to where the schema is shown. */
function links(schema) {
  const names = JSON.stringify(schema).matchAll(/#\/components\/schemas\/(\w+)/g);
  return [...new Set([...names].map(([, name]) => name))].map((name) => {
    const link = element('a', name);
    link.href = `#${name}`;
    return link;
  });
}

function message(asyncApi, reference) {
  const { title, description, payload, examples = [] } = resolve(asyncApi, reference);
  const details = element('details', '', element('summary', `${lastName(reference)}: ${title}`));
  if (description) details.append(element('p', description));
  const schemas = element('p', 'Schemas: ');
  for (const link of links(payload)) schemas.append(link, ' ');
  details.append(json(payload), schemas);
  for (const example of examples) details.append(element('p', 'Example'), json(example.payload));
  return details;
}

function channel(asyncApi, reference) {
  const { address, title, description, servers = [] } = resolve(asyncApi, reference);
  const hosts = servers.map((one) => {
    const { protocol, host } = resolve(asyncApi, one);
    return `${protocol}://${host}`;
  });
  const shown = address ?? '(no topic)';
  const line = element('p', `${title}: `, element('code', shown), ` ${hosts.join(', ')} `);
  line.append(element('small', description));
  return line;
}

function operation(asyncApi, [name, described]) {
  const { title, summary, description, action, reply, messages } = described;
  const section = element('section', '', element('h3', title));
  section.id = name;
  section.append(element('p', `${summary}. ${description}`));
  section.append(element('p', action === 'receive' ? 'The reader receives:' : 'The reader sends:'));
  section.append(channel(asyncApi, described.channel));
  for (const one of messages) section.append(message(asyncApi, one));
  if (reply !== undefined) {
    section.append(element('p', 'The reader replies:'), channel(asyncApi, reply.channel));
    for (const one of reply.messages) section.append(message(asyncApi, one));
  }
  return section;
}

function show(asyncApi) {
  const { info, operations, components } = asyncApi;
  const parts = [element('h1', `${info.title} ${info.version}`), element('p', info.description)];
  for (const { name, description } of info.tags) {
    parts.push(element('h2', `${name}: ${description}`));
    const own = Object.entries(operations).filter(([, one]) => one.tags[0].name === name);
    parts.push(...own.map((one) => operation(asyncApi, one)));
  }
  parts.push(element('h2', 'Schemas'));
  for (const [name, schema] of Object.entries(components.schemas)) {
    const details = element('details', '', element('summary', name), json(schema));
    details.id = name;
    parts.push(details);
  }
  place.replaceChildren(...parts);
}

async function get(path, authorization) {
  const headers = authorization === undefined ? {} : { authorization };
  const answer = await fetch(path, { headers });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.message);
  return body;
}

/** A colon ends the user name; both are UTF-8. */
function basic(user, password) {
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

async function load(authorization) {
  try {
    show(await get('/cloud/asyncapi.json', await authorization?.()));
    problem.value = '';
  } catch (error) {
    problem.value = error.message;
  }
}

document.getElementById('login').addEventListener('submit', (event) => {
  event.preventDefault();
  const user = document.getElementById('user').value;
  const password = document.getElementById('password').value;
  load(async () => {
    const { message } = await get('/cloud/localRestLogin', basic(user, password));
    return `Bearer ${message}`;
  });
});

load();
