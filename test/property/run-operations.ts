/** Random bodies for operations, on a whole reader: what they are answered, and what they change. */
import fc from 'fast-check';
import type { Test } from 'tap';
import { toErrorAnswer } from '../../src/reader-gateway/api/errors.js';
import { FileAnswer } from '../../src/reader-gateway/operations/file-answer.js';
import { runOperation } from '../../src/reader-gateway/operations/run-operation.js';
import { OPERATIONS } from '../../src/reader-gateway/operations/table.js';
import { FakeRadio } from '../gateway/fake-radio.js';
import { radioTarget, TestReader, temporaryFolder } from '../gateway/reader.js';
import { bodiesFor } from './bodies.js';
import { faultOfAnswer } from './check-answer.js';
import { tamed } from './guards.js';
import { cutNetwork } from './no-network.js';
import { WholeState } from './whole-state.js';

/** `npm run test:property` is the same each time; PROPERTY_SEED explores others. */
export const SEED = Number(process.env.PROPERTY_SEED ?? 1);
const RUNS = Number(process.env.PROPERTY_RUNS ?? 10_000);

/** The name of an operation, for who looks for a fault of it. */
const ONLY = process.env.PROPERTY_ONLY;

/** Longer than anything that does not wait for a server; slow machines included. */
const LONGEST_MS = 20_000;

export async function startReader(t: Test): Promise<{ reader: TestReader; radio: FakeRadio }> {
  cutNetwork();
  const stateDir = temporaryFolder(t);
  const radio = new FakeRadio();
  await radio.listen(radioTarget(stateDir));
  const reader = await TestReader.start(t, { stateDir, radio });
  t.teardown(async () => {
    await reader.gateway.stop();
    radio.kill();
  });
  return { reader, radio };
}

/** @param of Of so many parts of the table the one with this number: they run beside each other. */
export async function checkOperations(t: Test, part: number, of: number): Promise<void> {
  const { reader, radio } = await startReader(t);
  const { context } = reader.gateway;
  const state = new WholeState({ reader, radio });
  const mine = OPERATIONS.filter(({ name }, index) =>
    ONLY === undefined ? index % of === part : name === ONLY,
  );
  for (const operation of mine) {
    await t.test(operation.name, async (t) => {
      const begun = Date.now();
      let succeeded = 0;
      let before = state.read();
      const property = fc.asyncProperty(bodiesFor(operation), async (text) => {
        const request = tamed(JSON.parse(text));
        try {
          const started = Date.now();
          const { body } = await runOperation(operation, context, request, '');
          // Work after the answer is left out: it reboots, and connects to hosts of random names.
          if (body instanceof FileAnswer) body.content.destroy();
          succeeded++;
          before = state.read();
          if (Date.now() - started > LONGEST_MS) throw new Error('took too long');
        } catch (error) {
          const answer = toErrorAnswer(error);
          const fault = faultOfAnswer(operation, request, answer);
          if (fault !== undefined) throw new Error(fault, { cause: error });
          const after = state.read();
          if (after !== before) {
            before = after;
            throw new Error(`refused (${answer.body.message}), and yet something changed`);
          }
        }
      });
      await fc.assert(property, { numRuns: RUNS, seed: SEED });
      // One of the right requests may have switched it on.
      context.log.level = 'silent';
      t.comment(`${RUNS} bodies, ${succeeded} of them right, ${Date.now() - begun} ms`);
      t.ok(state.read() === before, 'nothing changed afterwards');
    });
  }
}
