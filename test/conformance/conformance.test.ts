/**
 * Every operation, by both doors: success, each documented error, and each kind of wrong request,
 * held against what the operation declares and what the OpenAPI document says. Writes the table of
 * docs/conformance.md with UPDATE_DOCS=1; without it the file must say what was executed.
 */
// alone: it takes as long as eight others, so it begins first.
import { readFileSync, writeFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { findRequestViolations } from '../../src/reader-gateway/api/validate.js';
import type { Operation } from '../../src/reader-gateway/operations/operation.js';
import { OPERATIONS } from '../../src/reader-gateway/operations/table.js';
import { FakeRadio } from '../gateway/fake-radio.js';
import { radioTarget, TestBroker, TestReader, temporaryFolder, until } from '../gateway/reader.js';
import { Document } from './document.js';
import { type Door, MqttDoor, type Outcome, RestDoor } from './doors.js';
import { SECRET, withBrokenParts, withoutPlatform } from './faults.js';
import { GROUPS } from './groups/all.js';
import type { Group, OperationCase, World } from './operation-case.js';
import { type Column, Executed, withTable } from './table.js';
import {
  beyondLimits,
  bodyFields,
  type WrongRequest,
  withMissingFields,
  withUnknownField,
  withWrongTypes,
} from './wrong-requests.js';

const DOCUMENT = 'docs/conformance.md';
/** Above the limit of both doors. */
const TOO_MANY_BYTES = 1_100_000;
/** Each on a reader of its own; most of their time they wait. */
const GROUPS_AT_ONCE = 3;
const executed = new Executed();
const declared = new Set<string>();

t.test('every operation by both doors', { jobs: GROUPS_AT_ONCE }, async (t) => {
  for (const [name, group] of Object.entries(GROUPS)) {
    t.test(name, { buffered: true }, (t) => runGroup(t, group));
  }
});

t.test('every operation has its case', async (t) => {
  for (const { name } of OPERATIONS) {
    t.ok(declared.has(name), `${name} declares a success request in test/conformance/groups`);
  }
});

t.test('the table in docs is what was executed', async (t) => {
  const before = readFileSync(DOCUMENT, 'utf8');
  const after = withTable(before, executed.markdown(OPERATIONS));
  if (process.env.UPDATE_DOCS === '1') writeFileSync(DOCUMENT, after);
  else t.equal(before, after, `UPDATE_DOCS=1 makes ${DOCUMENT} again`);
  t.comment(`${executed.cases} cases`);
});

async function runGroup(t: Test, group: Group): Promise<void> {
  const { doors, ...world } = await openWorld(t);
  const document = await readDocument(world.reader);
  const cases = await group(world);
  const tested = Object.entries(cases).flatMap(([name, oneCase]) => {
    declared.add(name);
    const operation = OPERATIONS.find((one) => one.name === name);
    t.ok(operation, `${name} is an operation`);
    return operation === undefined ? [] : [{ operation, oneCase }];
  });
  for (const { operation, oneCase } of tested) {
    await t.test(operation.name, async (t) => {
      for (const door of doors) await runOthers({ t, document, door, operation, oneCase });
      for (const door of doors) await runCase({ t, document, door, operation, oneCase });
    });
  }
  for (const part of [undefined, 'platform', 'radio'] as const) {
    await t.test(`without ${part ?? 'anything'}`, async (t) => {
      if (part === 'radio') world.radio.kill();
      // A reboot may have been before.
      await until(`the radio is ${part === 'radio' ? 'gone' : 'there'}`, () => {
        const { radio, lines } = world.reader.gateway.context;
        return part === 'radio'
          ? !radio.isConnected && lines.trouble !== ''
          : radio.isConnected && lines.trouble === '';
      });
      for (const { operation, oneCase } of tested) {
        for (const door of doors) {
          await runWithout(part, world, { t, document, door, operation, oneCase });
        }
      }
    });
  }
  for (const { operation } of tested) allStatusesWereThere(t, operation, document);
}

interface Run {
  t: Test;
  document: Document;
  door: Door;
  operation: Operation;
  oneCase: OperationCase;
}

async function openWorld(t: Test): Promise<World & { doors: Door[] }> {
  const stateDir = temporaryFolder(t);
  const broker = new TestBroker();
  await broker.start();
  const radio = new FakeRadio();
  await radio.listen(radioTarget(stateDir));
  const reader = await TestReader.start(t, { stateDir, radio, broker });
  t.teardown(async () => {
    await reader.gateway.stop();
    await broker.stop();
    radio.kill();
  });
  const mqtt = await MqttDoor.open(reader, broker.url, (on) => {
    broker.onlyTests = on;
  });
  t.teardown(() => mqtt.close());
  const rest = await RestDoor.open(reader);
  const logInAgain = () => rest.logInAgain();
  return { t, reader, radio, broker, logInAgain, doors: [rest, mqtt] };
}

async function readDocument(reader: TestReader): Promise<Document> {
  return new Document((await reader.call('GET', 'openapi.json')).json);
}

/** Before all successes: some of them change what is possible. */
async function runOthers(run: Run): Promise<void> {
  const { door, operation, oneCase } = run;
  for (const [status, other] of Object.entries(oneCase.others ?? {})) {
    await other.before?.(door);
    const outcome = await door.ask(operation, other.request ?? oneCase.success);
    await other.after?.();
    check(run, outcome, other.code === undefined ? 'success' : 'documented errors', {
      status: Number(status),
      code: other.code,
    });
  }
}

async function runCase(run: Run): Promise<void> {
  const { t, door, operation, oneCase } = run;
  const { success: right } = oneCase;
  const fields = bodyFields(operation, door.name);
  const wrong: [Column, WrongRequest[]][] = [
    ['unknown field', withUnknownField(right)],
    ['wrong type', withWrongTypes(operation, right, fields)],
    ['missing field', withMissingFields(operation, right, fields)],
    ['too large', beyondLimits(operation, right, fields)],
  ];
  for (const [column, requests] of wrong) {
    for (const { field, request } of requests) {
      const outcome = await door.ask(operation, request);
      const isIgnored = column === 'unknown field' && oneCase.ignores?.test(field);
      const refusal = { status: operation.unprocessable ? 422 : 400, code: 1, field };
      check(run, outcome, column, isIgnored ? { status: 200 } : refusal);
    }
  }
  const notJson = await door.askRaw(operation, '{"a":');
  check(run, notJson, 'documented errors', { status: 400, code: 1, field: 'is not JSON' });
  const text = JSON.stringify({ ...right, filler: 'x'.repeat(TOO_MANY_BYTES) });
  check(run, await door.askRaw(operation, text), 'too large', { status: 413, code: 8 });
  await noObject(run);

  const refused = await door.askWithoutRight(operation, right);
  t.equal(refused, door.name === 'REST' ? '401/2' : 'broker', `${operation.name} without right`);
  executed.add(operation, door.name, 'wrong auth', refused);

  await oneCase.before?.();
  const outcome = await door.ask(operation, right);
  await oneCase.after?.(outcome);
  const { responseSchema, acceptedSchema } = operation;
  const accepted = responseSchema === undefined && acceptedSchema !== undefined;
  check(run, outcome, 'success', { status: accepted ? 202 : 200 });
}

/** A body of the wrong type as a whole. */
async function noObject(run: Run): Promise<void> {
  const { door, operation } = run;
  const command = { command: operation.mqttCommand, command_id: '', payload: [] };
  const outcome = await door.askRaw(
    operation,
    door.name === 'REST' ? '[]' : JSON.stringify(command),
  );
  const status = operation.unprocessable ? 422 : 400;
  const field = door.name === 'REST' ? 'the body' : 'payload';
  check(run, outcome, 'wrong type', { status, code: 1, field });
}

/** The success request while a part is away, or (undefined) while everything inside fails. */
async function runWithout(
  part: 'platform' | 'radio' | undefined,
  { reader }: World,
  run: Run,
): Promise<void> {
  const { t, door, operation, oneCase } = run;
  await oneCase.before?.();
  const ask = () => door.ask(operation, oneCase.success);
  const outcome =
    part === undefined
      ? await withBrokenParts(reader, ask)
      : part === 'platform'
        ? await withoutPlatform(reader, ask)
        : await ask();
  if (part === undefined && oneCase.neverFails) {
    check(run, outcome, 'success', { status: 200 });
    seen.add(`${operation.name} 500`);
  } else if (part === undefined) {
    check(run, outcome, 'documented errors', { status: 500, code: 9 });
    t.notMatch(JSON.stringify(outcome.body), SECRET);
  } else if (oneCase.needs?.includes(part)) {
    check(run, outcome, 'documented errors', { status: 500, code: 4 });
  } else {
    const answer = JSON.stringify(outcome.body);
    t.notOk(outcome.failed, `${operation.name} needs no ${part}: ${answer}`);
  }
  await oneCase.after?.(outcome);
}

interface Expected {
  status: number;
  /** undefined: no error. */
  code?: number | undefined;
  /** The message has it. */
  field?: string;
}

function check(run: Run, outcome: Outcome, column: Column, expected: Expected): void {
  const { t, document, door, operation } = run;
  const { status, code, field } = expected;
  const is = `${operation.name} ${column} ${field ?? ''} by ${door.name}`;
  const body = outcome.body as { code?: number; message?: string } | undefined;
  if (door.name === 'REST') {
    t.equal(outcome.status, status, `${is}: ${JSON.stringify(body)?.slice(0, 300)}`);
    const fault = document.faultOf(operation, outcome);
    t.equal(fault, undefined, `${is} is in the document`);
  } else {
    t.equal(outcome.failed, code !== undefined, `${is}: ${JSON.stringify(body)?.slice(0, 300)}`);
    if (code === undefined) checkPayload(run, outcome.body, status, is);
  }
  if (code !== undefined) {
    t.equal(body?.code, code, `${is}: ${body?.message}`);
    if (field !== undefined) t.ok(body?.message?.includes(field), is);
  }
  const shown = code === undefined ? '' : `/${code}`;
  executed.add(
    operation,
    door.name,
    column,
    door.name === 'REST' ? `${status}${shown}` : resultOf(code),
  );
  if (door.name === 'REST') seen.add(`${operation.name} ${outcome.status}`);
}

const seen = new Set<string>();

function resultOf(code: number | undefined): string {
  return code === undefined ? 'success' : `failure/${code}`;
}

/** Over MQTT the payload is the content of the answer, or an envelope around a file. */
function checkPayload({ t, operation }: Run, body: unknown, status: number, is: string): void {
  const { responseSchema, acceptedSchema, fileTypes } = operation;
  if (fileTypes !== undefined) {
    const { contentType, encoding } = body as { contentType: string; encoding: string };
    t.ok(fileTypes.includes(contentType) && encoding === 'base64', is);
    return;
  }
  const schema = status === 202 ? acceptedSchema : responseSchema;
  if (schema === undefined) t.same(body, {}, is);
  else t.same(findRequestViolations(schema, body), [], is);
}

/** What the document has and nothing brings about is not an answer of the operation. */
function allStatusesWereThere(t: Test, operation: Operation, document: Document): void {
  const sharing = OPERATIONS.filter(
    ({ method, path }) => method === operation.method && path === operation.path,
  );
  for (const status of document.statusesOf(operation)) {
    const was = sharing.some(({ name }) => seen.has(`${name} ${status}`)) || status === 401;
    t.ok(was, `${operation.name}: status ${status} of the document was answered`);
  }
  for (const column of ['success', 'documented errors', 'unknown field'] as const) {
    for (const door of ['REST', 'MQTT']) t.ok(executed.has(operation, door, column));
  }
}
