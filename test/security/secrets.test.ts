/**
 * No secret comes back: every operation that takes one gets a marker, over REST and over MQTT, also
 * in requests that fail, at level DEBUG; then everything that the reader says or writes is searched.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { OPERATIONS } from '../../src/reader-gateway/operations/table.js';
import { selfSigned } from '../gateway/certificates.js';
import { FakeRadio } from '../gateway/fake-radio.js';
import {
  basic,
  Listener,
  logFilesOf,
  PASSWORD,
  radioTarget,
  send,
  TestBroker,
  TestReader,
  temporaryFolder,
  until,
} from '../gateway/reader.js';

const markers: string[] = [];
/** A text that is nowhere else. */
function secret(): string {
  const marker = `Marker${markers.length}-${Math.random().toString(36).slice(2)}`;
  markers.push(marker);
  return marker;
}

const CLOSED = 'https://127.0.0.1:9';

interface Case {
  operation: string;
  method: string;
  path: string;
  /** Made separately for each request: whatever leaks is a marker of its own. */
  body(): unknown;
}

const download = () => ({
  url: CLOSED,
  authenticationType: 'BASIC',
  options: { username: 'me', password: secret() },
  headers: { 'X-Api-Key': secret() },
  retry: { policy: { retries: 0 } },
  timeouts: { connection: 1, read: 1 },
});
const events = (...connections: unknown[]) => ({
  'READER-GATEWAY': { endpointConfig: { data: { event: { connections } } } },
});
const mqtt = (more: object = {}) => ({
  type: 'mqtt',
  name: 'm',
  options: {
    endpoint: { hostName: '127.0.0.1', port: 9 },
    basicAuthentication: { username: 'me', password: secret() },
    publishTopic: ['a'],
    ...more,
  },
});
const post = (authenticationType: string, options: object, url = 'http://127.0.0.1:9/') => ({
  type: 'httpPost',
  name: `p ${authenticationType}`,
  options: { URL: url, security: { authenticationType, authenticationOptions: options } },
});
const certificate = (name: string) => ({ name, type: 'client' });
const install = { method: 'PUT', path: 'certificates/c', operation: 'set_update_certificate' };
const config = { method: 'PUT', path: 'config', operation: 'set_config' };
const test = { method: 'POST', path: 'testConnection', operation: 'test_connection' };
const os = { method: 'PUT', path: 'os', operation: 'set_os' };
const app = { method: 'PUT', path: 'apps/install', operation: 'set_install_userapp' };
const password = { method: 'PUT', path: 'updatePassword', operation: 'set_update_password' };
const key = () =>
  selfSigned({ name: 'k' }).key.replace(/-----[^-]+-----/, (line) => `${line}\n${secret()}`);

const CASES: Case[] = [
  { ...config, body: () => events(mqtt(), post('BASIC', { username: 'me', password: secret() })) },
  { ...config, body: () => events(post('BEARER', { token: secret() })) },
  { ...config, body: () => events(post('NONE', {}, `http://me:${secret()}@127.0.0.1:9/`)) },
  { ...config, body: () => events(mqtt({ endpoint: `ssl://me:${secret()}@127.0.0.1:9` })) },
  { ...config, body: () => events(mqtt({ endpoint: `ssl://me:${secret()}@ 127.0.0.1` })) },
  { ...config, body: () => events(mqtt({ additional: { qos: 7 } })) },
  { ...config, body: () => events(mqtt({ basicAuthentication: [secret()] })) },
  {
    ...config,
    body: () => events(mqtt({ basicAuthentication: { username: 'm', password: [secret()] } })),
  },
  { ...config, body: () => events([mqtt()]) },
  { ...config, body: () => events(post('BEARER', { token: `${secret()} with spaces` })) },
  { ...config, body: () => events(post('NONE', {}, `ftp://me:${secret()}@127.0.0.1/`)) },
  { ...config, body: () => events(post('NONE', {}, `http://me:${secret()}@:::/`)) },
  { ...test, body: () => mqtt() },
  { ...test, body: () => post('BASIC', { username: 'me', password: secret() }) },
  { ...test, body: () => post('NONE', {}, `http://me:${secret()}@127.0.0.1:9/`) },
  { ...test, body: () => mqtt({ endpoint: `ssl://me:${secret()}@127.0.0.1:9` }) },
  { ...test, body: () => [mqtt()] },
  {
    ...install,
    body: () => ({
      ...certificate('c'),
      ...download(),
      pfxFileName: 'a.pfx',
      pfxPassword: secret(),
    }),
  },
  {
    ...install,
    body: () => ({
      ...certificate('c'),
      url: `ftps://me:${secret()}@127.0.0.1:9/a.pfx`,
      pfxPassword: secret(),
    }),
  },
  {
    ...install,
    body: () => ({ ...certificate('c'), url: `ftp://me:${secret()}@127.0.0.1/a.pfx` }),
  },
  { ...install, body: () => ({ ...certificate('c'), url: `::me:${secret()}@127.0.0.1` }) },
  {
    ...install,
    body: () => ({
      ...certificate('c'),
      pfxContent: Buffer.from(secret()).toString('base64'),
      pfxPassword: secret(),
    }),
  },
  {
    ...install,
    body: () => ({
      ...certificate('c'),
      publicKeyFileContent: selfSigned({ name: 'c' }).cert,
      privateKeyFileContent: key(),
    }),
  },
  { ...install, body: () => ({ ...certificate('c'), privateKeyFileContent: [key()] }) },
  {
    ...install,
    body: () => ({ ...certificate('c'), pfxPassword: { a: secret() }, headers: { a: [secret()] } }),
  },
  { ...os, body: () => download() },
  { ...os, body: () => ({ ...download(), url: `https://me:${secret()}@127.0.0.1:9/` }) },
  { ...os, body: () => ({ ...download(), url: `me:${secret()}@127.0.0.1` }) },
  {
    ...os,
    body: () => ({
      ...download(),
      headers: { 'X-A': { deep: secret() }, 'X-B': `a\n${secret()}` },
    }),
  },
  { ...os, body: () => ({ ...download(), options: [secret()] }) },
  { ...app, body: () => ({ ...download(), filename: 'a.tar.gz' }) },
  {
    ...app,
    body: () => ({
      ...download(),
      filename: 'a.tar.gz',
      url: `https://me:${secret()}@127.0.0.1:9`,
    }),
  },
  {
    ...app,
    body: () => ({
      ...download(),
      filename: 'a.tar.gz',
      headers: { Authorization: `a\r\n${secret()}` },
    }),
  },
  {
    ...app,
    body: () => ({
      ...download(),
      filename: 7,
      options: { username: 'a', password: { b: secret() } },
    }),
  },
  {
    ...password,
    body: () => ({ userName: 'admin', currentPassword: secret(), newPassword: secret() }),
  },
  {
    ...password,
    body: () => ({ userName: 'admin', currentPassword: [secret()], newPassword: `\n${secret()}` }),
  },
  { ...password, body: () => ({ userName: 'admin', newPassword: secret().repeat(20) }) },
  { ...config, body: () => `{"password": "${secret()}" oops}` },
  { ...password, body: () => `{"newPassword": "${secret()}"` },
];

t.test('no marker is found anywhere', async (t) => {
  const stateDir = temporaryFolder(t);
  const broker = new TestBroker();
  await broker.start();
  t.teardown(() => broker.stop());
  const radio = new FakeRadio();
  await radio.listen(radioTarget(stateDir));
  t.teardown(() => radio.kill());
  const logFiles = logFilesOf(t, stateDir);
  const said: { where: string; text: string }[] = [];
  for (const stream of [process.stderr, process.stdout]) {
    const write = stream.write;
    stream.write = ((chunk: string | Uint8Array, ...rest: never[]) => {
      // What tap itself tells of this test is not the reader's.
      if (stream === process.stderr) said.push({ where: 'stderr', text: String(chunk) });
      return write.call(stream, chunk, ...rest);
    }) as typeof write;
    t.teardown(() => {
      stream.write = write;
    });
  }
  const reader = await TestReader.start(t, { stateDir, radio, broker, logFiles });
  t.teardown(() => reader.gateway.stop());
  const listener = new Listener(broker.url);
  t.teardown(() => listener.client.end(true));
  await until('the command connections', () => {
    const commands = reader.endpoints.filter((one) =>
      ['control', 'management'].includes(one.interface),
    );
    return (
      listener.subscribed &&
      commands.length === 2 &&
      commands.every(({ state }) => state === 'connected')
    );
  });
  const components = [{ componentName: 'cloud_agent', level: 'DEBUG' }];
  t.equal((await reader.call('PUT', 'logs', { components })).status, 200);

  const reads = async () => {
    for (const path of [
      'config',
      'logs',
      'apps',
      'certificates',
      'metrics',
      'openapi.json',
      'status',
      'events/x',
    ]) {
      const { text } = await reader.call('GET', path);
      said.push({ where: `GET ${path}`, text });
    }
  };
  let id = 0;
  for (const { operation, method, path, body } of CASES) {
    t.ok(
      OPERATIONS.some(({ mqttCommand }) => mqttCommand === operation),
      operation,
    );
    const answer = await reader.call(method, path, body());
    said.push({ where: `${method} ${path}`, text: JSON.stringify(answer.headers) + answer.text });
    if (operation === 'set_config') await reads();
    const payload = body();
    const given = JSON.stringify({ command: operation, command_id: `id ${++id}`, payload });
    const broken = `{"command": "${operation}", "command_id": "id ${id}", "payload": ${payload}`;
    listener.client.publish('singulate/m-req', typeof payload === 'string' ? broken : given);
    const answers = () => listener.on('singulate/m-res').length;
    await until(`an answer to ${operation}`, () => answers() >= id, 20_000);
  }
  // Logins have no command.
  const wrong = basic('admin', secret());
  for (const headers of [wrong, { authorization: `Bearer ${secret()}` }]) {
    const { text } = await send(reader.gateway.restUrl, 'GET', '/cloud/localRestLogin', {
      headers,
    });
    said.push({ where: 'login', text });
  }
  const inAddress = `/cloud/events?access_token=${secret()}`;
  said.push({ where: 'stream', text: (await send(reader.gateway.restUrl, 'GET', inAddress)).text });
  await reads();
  for (const { topic, text } of listener.messages) {
    if (topic !== 'singulate/m-req') said.push({ where: topic, text });
  }
  await logFiles.flush();
  const logs = join(stateDir, 'logs');
  for (const name of readdirSync(logs)) {
    said.push({ where: name, text: readFileSync(join(logs, name), 'utf8') });
  }
  const archive = gunzipSync((await reader.call('GET', 'logs/syslog')).bytes);
  said.push({ where: 'syslog', text: archive.toString('latin1') });

  t.ok(said.some(({ where, text }) => where === 'reader_gateway.info.log' && text.length > 100));
  t.ok(said.filter(({ where }) => where === 'singulate/m-res').length >= CASES.length);
  for (const marker of [...markers, PASSWORD]) {
    const forms = [
      marker,
      Buffer.from(marker).toString('base64').replace(/=+$/, ''),
      Buffer.from(`me:${marker}`).toString('base64').replace(/=+$/, ''),
    ];
    const found = said.filter(({ text }) => forms.some((form) => text.includes(form)));
    t.same(
      found.map(({ where, text }) => `${where}: ${text.slice(0, 300)}`),
      [],
      marker,
    );
  }
});
