/** Random bodies, and bytes that are no JSON, for every operation over real HTTPS. */
// alone: what the process could reach outside is cut off for good.
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import t from 'tap';
import type { ErrorBody } from '../../src/reader-gateway/api/errors.js';
import type { Operation } from '../../src/reader-gateway/operations/operation.js';
import { OPERATIONS } from '../../src/reader-gateway/operations/table.js';
import { pathFields } from '../conformance/doors.js';
import { PASSWORD, until } from '../gateway/reader.js';
import { bodiesFor, bytes } from './bodies.js';
import { faultOfAnswer } from './check-answer.js';
import { tamed } from './guards.js';
import { HttpsClient, type RawAnswer } from './https-client.js';
import { isDeep, jsonText } from './json-text.js';
import { differences, SEED, startWorld } from './run-operations.js';
import type { WholeState } from './whole-state.js';

const RUNS = Number(process.env.PROPERTY_HTTPS_RUNS ?? 200);
const ONLY = process.env.PROPERTY_ONLY;
/** Of REST, in place of the operation's own answer: the device reboots after it. */
const REBOOTS = 202;

t.test('no request brings a 5xx, a half change, or an error without a field', async (t) => {
  const { reader, state, attempts } = await startWorld(t);
  const token = (await reader.login()).json.message;
  let client = new HttpsClient(reader.gateway.restUrl, token);
  t.teardown(() => client.close());
  const mine = OPERATIONS.filter(({ name }) => ONLY === undefined || name === ONLY);
  for (const operation of mine) {
    await t.test(operation.name, async (t) => {
      const body = fc.oneof(
        { weight: 4, arbitrary: bodiesFor(operation).map((text) => tamedBytes(operation, text)) },
        { weight: 1, arbitrary: bytes },
      );
      const parameter = fc.oneof(fc.constantFrom('a', 'syslog', '..'), fc.string({ minLength: 1 }));
      const property = fc.asyncProperty(body, parameter, async (sent, name) => {
        // The right password would end the token of this very client.
        fc.pre(!sent.includes(PASSWORD));
        const path = operation.path.replace(/\{\w+\}/, encodeURIComponent(name));
        const ask = () => client.send(operation.method, path, sent);
        const before = state.read();
        const { reboots } = reader;
        const answer = await ask();
        const fault = faultOf(operation, sent, answer);
        if (fault !== undefined) throw new Error(fault);
        if (answer.status === REBOOTS) {
          await until('it has rebooted', () => reader.reboots > reboots, 30_000);
          client.close();
          client = new HttpsClient(reader.gateway.restUrl, token);
        }
        while (reader.gateway.context.update.status !== undefined) await sleep(20);
        if (answer.status < 400 || state.read() === before) return;
        // A request that succeeded before it may have had work to do after its answer.
        const settled = await settledState(state);
        await ask();
        const after = state.read();
        if (after === settled) return;
        throw new Error(`refused (${answer.text}), and changed:\n${differences(settled, after)}`);
      });
      await fc.assert(property, { numRuns: RUNS, seed: SEED });
      reader.gateway.context.log.level = 'silent';
      t.pass(`${RUNS} requests`);
    });
  }
  t.same(attempts, [], 'nothing outside was touched');
});

function tamedBytes(operation: Operation, text: string): Buffer {
  if (isDeep(text)) return Buffer.from(text);
  const request = JSON.parse(text);
  const tame = tamed(operation, request);
  return Buffer.from(tame === request ? text : jsonText(tame));
}

async function settledState(state: WholeState): Promise<string> {
  let before = state.read();
  for (;;) {
    await sleep(200);
    const now = state.read();
    if (now === before) return now;
    before = now;
  }
}

function faultOf(operation: Operation, sent: Buffer, answer: RawAnswer): string | undefined {
  const { status, text } = answer;
  if (status < 400) return undefined;
  // A name that is not in the path at all: no operation is meant.
  if (status === 404 && pathFields(operation).length > 0 && text.startsWith('<')) return undefined;
  if (status === 422 && !operation.unprocessable) return '422 of an operation that has none';
  let body: ErrorBody;
  try {
    body = JSON.parse(text);
  } catch {
    return `${status} is not JSON: ${text}`;
  }
  return faultOfAnswer(operation, parsed(sent), { status, body });
}

function parsed(sent: Buffer): unknown {
  try {
    return JSON.parse(sent.toString());
  } catch {
    return undefined;
  }
}
