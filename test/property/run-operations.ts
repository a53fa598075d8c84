/** Random bodies for operations, on a whole reader: what they are answered, and what they change. */
import fc from 'fast-check';
import type { Test } from 'tap';
import { toErrorAnswer } from '../../src/reader-gateway/api/errors.js';
import { FileAnswer } from '../../src/reader-gateway/operations/file-answer.js';
import type { Operation } from '../../src/reader-gateway/operations/operation.js';
import { runOperation } from '../../src/reader-gateway/operations/run-operation.js';
import { OPERATIONS } from '../../src/reader-gateway/operations/table.js';
import { FakeRadio } from '../gateway/fake-radio.js';
import { radioTarget, TestReader, temporaryFolder } from '../gateway/reader.js';
import { prepareCertificate } from '../shared/prepared-state.js';
import { bodiesFor } from './bodies.js';
import { faultOfAnswer } from './check-answer.js';
import { tamed } from './guards.js';
import { NEVER_RIGHT, outputsAtRest, prepare } from './needed.js';
import { cutOutside } from './nothing-outside.js';
import { WholeState } from './whole-state.js';

/** `npm run test:property` is the same each time; PROPERTY_SEED explores others. */
export const SEED = Number(process.env.PROPERTY_SEED ?? 1);
const RUNS = Number(process.env.PROPERTY_RUNS ?? 10_000);
/** So many bodies bring a right one at the least. */
const SURELY_RIGHT = 2000;

/** The name of an operation, for who looks for a fault of it. */
const ONLY = process.env.PROPERTY_ONLY;

/** Longer than anything that does not wait for a server; slow machines included. */
const LONGEST_MS = 20_000;

export interface World {
  reader: TestReader;
  radio: FakeRadio;
  state: WholeState;
  /** What was tried outside of its folder; it must stay empty. */
  attempts: readonly string[];
}

/** Nothing of it gets out of its folder. */
export async function startWorld(t: Test): Promise<World> {
  const stateDir = temporaryFolder(t);
  await prepareCertificate();
  const { attempts } = await cutOutside(stateDir);
  const radio = new FakeRadio();
  await radio.listen(radioTarget(stateDir));
  const reader = await TestReader.start(t, { stateDir, radio });
  t.teardown(async () => {
    await reader.gateway.stop();
    radio.kill();
  });
  return { reader, radio, state: new WholeState({ reader, radio }), attempts };
}

/** @returns What a part of so many has to do; they run beside each other. */
export function operationsOf(part: number, of: number): Operation[] {
  return OPERATIONS.filter((_, index) => index % of === part);
}

export async function checkOperations(t: Test, part: number, of: number): Promise<void> {
  if (ONLY !== undefined && !OPERATIONS.some(({ name }) => name === ONLY)) {
    throw new Error(`PROPERTY_ONLY=${ONLY} is the name of no operation`);
  }
  const world = await startWorld(t);
  for (const operation of operationsOf(part, of)) {
    if (ONLY !== undefined && operation.name !== ONLY) continue;
    await t.test(operation.name, (t) => checkOperation(t, operation, world));
  }
  t.same(world.attempts, [], 'nothing outside was touched');
}

async function checkOperation(t: Test, operation: Operation, world: World): Promise<void> {
  const { reader, radio, state } = world;
  const { context } = reader.gateway;
  const begun = Date.now();
  let succeeded = 0;
  await prepare(operation, context);
  let before = state.read();
  const property = fc.asyncProperty(bodiesFor(operation), async (text) => {
    const request = tamed(operation, JSON.parse(text));
    const started = Date.now();
    try {
      const { body } = await runOperation(operation, context, request, '');
      // Work after the answer is left out: it reboots, and connects to hosts of random names.
      if (body instanceof FileAnswer) body.content.destroy();
    } catch (error) {
      const answer = toErrorAnswer(error);
      const fault = faultOfAnswer(operation, request, answer);
      if (fault !== undefined) throw new Error(fault, { cause: error });
      const after = state.read();
      if (after !== before) {
        const changes = differences(before, after);
        before = after;
        throw new Error(`refused (${answer.body.message}), and yet it changed:\n${changes}`);
      }
      checkTime(started);
      return;
    }
    checkTime(started);
    succeeded++;
    await outputsAtRest(operation, request, { context, radio });
    await prepare(operation, context);
    before = state.read();
  });
  try {
    await fc.assert(property, { numRuns: RUNS, seed: SEED });
  } catch (error) {
    t.comment(`again: PROPERTY_SEED=${SEED} PROPERTY_RUNS=${RUNS} PROPERTY_ONLY=${operation.name}`);
    throw error;
  }
  // One of the right requests may have switched it on.
  context.log.level = 'silent';
  t.comment(`${RUNS} bodies, ${succeeded} of them right, ${Date.now() - begun} ms`);
  t.ok(state.read() === before, 'nothing changed afterwards');
  const why = NEVER_RIGHT[operation.name];
  if (why !== undefined) t.equal(succeeded, 0, `none is right: ${why}`);
  else if (RUNS >= SURELY_RIGHT) t.not(succeeded, 0, 'some were right');
}

function checkTime(startedMs: number): void {
  if (Date.now() - startedMs > LONGEST_MS) throw new Error('took too long');
}

/** Lines of the one that the other does not have. */
export function differences(before: string, after: string): string {
  const [old, present] = [before.split('\n'), after.split('\n')];
  const gone = old.filter((line) => !present.includes(line)).map((line) => `- ${line}`);
  const come = present.filter((line) => !old.includes(line)).map((line) => `+ ${line}`);
  return [...gone, ...come].join('\n');
}
