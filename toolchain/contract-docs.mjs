/**
 * Writes the reference of docs/contract.md from the comments of the contract; what stands above its
 * marker is written by hand. `--check` writes nothing, and fails if the page is not up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import protobuf from 'protobufjs';
import { ROOT } from './build.mjs';

const PROTO = 'proto/singulate/radio/v1/radio.proto';
const PACKAGE = 'singulate.radio.v1';
const PAGE = 'docs/contract.md';
const COMMAND = 'node toolchain/contract-docs.mjs';
const MARKER = `<!-- Made by ${COMMAND}, from here to the end. -->`;
const WIDTH = 100;

const ROLE = /^(Observer|Controller|Admin)\. /;
const ERROR = /^([A-Z_]+): /;

function parse(text) {
  const { root } = protobuf.parse(text, { keepCase: true, alternateCommentMode: true });
  return root.resolveAll().lookup(PACKAGE);
}

/** Words in lines; none of them begins like an item of a list. */
function wrap(text, indent = '') {
  const lines = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && indent.length + line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word.replace(/^(\d*)([-+#>.)])$/, '$1\\$2');
    } else {
      line += line === '' ? word : ` ${word}`;
    }
  }
  lines.push(line);
  return lines.join(`\n${indent}`);
}

function item(text) {
  return `- ${wrap(text, '  ')}`;
}

/** Of an angle bracket or a star Markdown would make something else. */
function prose(comment) {
  return comment.replace(/[<*]/g, '\\$&');
}

/** Name within the package: FeatureSupport.Support. */
function nameOf(type) {
  return type.fullName.slice(`.${PACKAGE}.`.length);
}

function anchor(heading) {
  return heading.toLowerCase().replaceAll('.', '');
}

function link(type) {
  return `[${nameOf(type)}](#${anchor(nameOf(type))})`;
}

function typeOf(field) {
  const type = field.resolvedType === null ? field.type : link(field.resolvedType);
  if (field.map) return `map of ${field.keyType} to ${type}`;
  if (field.repeated) return `list of ${type}`;
  if (field.partOf?.isProto3Optional) return `optional ${type}`;
  return type;
}

function fieldItem(field) {
  const choice =
    field.partOf && !field.partOf.isProto3Optional ? `, one of ${field.partOf.name}` : '';
  return item(
    `\`${field.name}\` = ${field.id}, ${typeOf(field)}${choice}. ${prose(field.comment)}`,
  );
}

function messageSection(type) {
  const choices = type.oneofsArray
    .filter((oneof) => !oneof.isProto3Optional)
    .map((oneof) => wrap(`One of ${oneof.name}: ${prose(oneof.comment)}`));
  const fields = type.fieldsArray.map(fieldItem);
  const list = fields.length > 0 ? fields.join('\n') : 'No fields.';
  return [`### ${nameOf(type)}`, wrap(prose(type.comment)), ...choices, list];
}

function enumSection(type) {
  const values = Object.entries(type.values).map(([name, number]) =>
    item(`\`${name}\` = ${number}. ${prose(type.comments[name])}`),
  );
  return [`### ${nameOf(type)}`, wrap(prose(type.comment)), values.join('\n')];
}

/** The comment of a call: its role, what it does, and its errors, each from a line of its own on. */
function readCall(method) {
  const role = ROLE.exec(method.comment);
  if (role === null) {
    throw new Error(
      `${PROTO}: the comment of ${method.name} must begin with its role: Observer., ...`,
    );
  }
  const parts = [''];
  for (const line of method.comment.slice(role[0].length).split('\n')) {
    if (ERROR.test(line)) parts.push(line);
    else parts.push(`${parts.pop()} ${line}`);
  }
  const [does, ...errors] = parts;
  return { role: role[1].toLowerCase(), does: does.trim(), errors };
}

function callSection(method) {
  const { role, does, errors } = readCall(method);
  const stream = method.responseStream ? 'a stream of ' : '';
  const facts = [
    `- Role: ${role}`,
    `- Request: ${link(method.resolvedRequestType)}`,
    `- Response: ${stream}${link(method.resolvedResponseType)}`,
    ...errors.map((error) => item(prose(error.replace(ERROR, '`$1`: ')))),
  ];
  return [`### ${method.name}`, wrap(prose(does)), facts.join('\n')];
}

function collect(namespace) {
  return namespace.nestedArray.flatMap((type) =>
    type instanceof protobuf.Type ? [type, ...collect(type)] : [type],
  );
}

function byName(one, other) {
  return nameOf(one) < nameOf(other) ? -1 : 1;
}

function reference(contract) {
  const all = collect(contract).sort(byName);
  const of = (kind) => all.filter((type) => type instanceof kind);
  const methods = of(protobuf.Service).flatMap((service) => service.methodsArray);
  const sections = [
    ['## Calls'],
    [
      methods
        .map((method) => `- [${method.name}](#${anchor(method.name)}), ${readCall(method).role}`)
        .join('\n'),
    ],
    ...methods.map(callSection),
    ['## Messages'],
    ...of(protobuf.Type).map(messageSection),
    ['## Enums'],
    ...of(protobuf.Enum).map(enumSection),
  ];
  return sections.flat().join('\n\n');
}

/** Two headings of one anchor would lead a link to the wrong one. */
function checkAnchors(page) {
  const anchors = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    anchor(heading).replaceAll(' ', '-'),
  );
  const twice = anchors.find((one, index) => anchors.indexOf(one) !== index);
  if (twice !== undefined) throw new Error(`${PAGE}: two headings with the anchor #${twice}`);
}

const before = readFileSync(join(ROOT, PAGE), 'utf8');
const [head, ...rest] = before.split(MARKER);
if (rest.length !== 1) throw new Error(`${PAGE}: the line "${MARKER}" must be there once`);
const page = `${head}${MARKER}\n\n${reference(parse(readFileSync(join(ROOT, PROTO), 'utf8')))}\n`;
checkAnchors(page);
if (page !== before) {
  if (process.argv.includes('--check')) {
    console.log(`${PAGE} is not what the comments of ${PROTO} make: ${COMMAND}`);
    process.exitCode = 1;
  } else {
    writeFileSync(join(ROOT, PAGE), page);
    console.log(`${PAGE} is written`);
  }
}
