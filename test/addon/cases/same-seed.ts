/** One seed gives the same reads, another seed others; a paced run reads what a fast one reads. */
import assert from 'node:assert/strict';
import { makeRadio, plan, runToEnd, stopAfter } from '../field.js';

const run = async (seed: number, paced: boolean) =>
  (
    await runToEnd(makeRadio({ seed, paced }), plan({ stop: stopAfter({ durationMs: 300 }) }))
  ).toString('hex');
const first = await run(7, false);
assert(first.length > 0);
assert.equal(await run(7, false), first);
assert.equal(await run(7, true), first);
assert.notEqual(await run(8, false), first);
