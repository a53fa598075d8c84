/** Random bodies, and bytes that are no JSON, for every operation over real HTTPS. */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import t from 'tap';
import type { ErrorBody } from '../../src/reader-gateway/api/errors.js';
import type { Operation } from '../../src/reader-gateway/operations/operation.js';
import { OPERATIONS } from '../../src/reader-gateway/operations/table.js';
import { pathFields } from '../conformance/doors.js';
import { bodiesFor, bytes } from './bodies.js';
import { faultOfAnswer } from './check-answer.js';
import { tamed } from './guards.js';
import { HttpsClient, type RawAnswer } from './https-client.js';
import { jsonText } from './json-text.js';
import { SEED, startReader } from './run-operations.js';
import { WholeState } from './whole-state.js';

const RUNS = Number(process.env.PROPERTY_HTTPS_RUNS ?? 200);

t.test('no request brings a 5xx, a half change, or an error without a field', async (t) => {
  const { reader, radio } = await startReader(t);
  const state = new WholeState({ reader, radio });
  const client = new HttpsClient(reader.gateway.restUrl, (await reader.login()).json.message);
  t.teardown(() => client.close());
  const { context } = reader.gateway;
  for (const operation of OPERATIONS) {
    await t.test(operation.name, async (t) => {
      const body = fc.oneof(
        { weight: 4, arbitrary: bodiesFor(operation).map(tamedBytes) },
        { weight: 1, arbitrary: bytes },
      );
      const parameter = fc.oneof(fc.constantFrom('a', 'syslog', '..'), fc.string({ minLength: 1 }));
      const property = fc.asyncProperty(body, parameter, async (sent, name) => {
        const path = operation.path.replace(/\{\w+\}/, encodeURIComponent(name));
        const ask = () => client.send(operation.method, path, sent);
        const before = state.read();
        const answer = await ask();
        const fault = faultOf(operation, sent, answer);
        if (fault !== undefined) throw new Error(fault);
        while (context.update.status !== undefined) await sleep(20);
        if (answer.status < 400 || state.read() === before) return;
        // A request that succeeded before it may have had work to do after its answer.
        const settled = await settledState(state);
        await ask();
        if (state.read() !== settled) throw new Error(`refused (${answer.text}), and it changed`);
      });
      await fc.assert(property, { numRuns: RUNS, seed: SEED });
      context.log.level = 'silent';
      t.pass(`${RUNS} requests`);
    });
  }
});

function tamedBytes(text: string): Buffer {
  const request = JSON.parse(text);
  const tame = tamed(request);
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
  if (status === 422) return text === '' && operation.unprocessable ? undefined : '422 with a body';
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
