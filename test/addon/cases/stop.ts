/** stop() ends a paced inventory at once, announces the end, leaves the records; the process ends. */
import assert from 'node:assert/strict';
import { drainSequences, makeRadio, plan, sleep, until } from '../field.js';

const radio = makeRadio();
let calls = 0;
radio.start(plan(), () => calls++);
await until(() => radio.status().reads > 20, 'tags are read');
const before = performance.now();
await radio.stop();
// Far above what it takes, far below a round that nobody interrupts: machines are noisy.
assert(performance.now() - before < 2000, 'stop does not wait for anything');
const status = radio.status();
assert.equal(status.running, false);
assert.equal(status.endReason, 'stopped');
assert.equal(drainSequences(radio).length, status.reads);
await sleep(20);
assert.equal(calls, 1, 'one call, at the end: nobody armed');
await radio.stop();
