/** stop() ends a radio that waits for room in its queue; what it read is there or counted. */
import assert from 'node:assert/strict';
import { drainSequences, makeRadio, plan, sleep, until } from '../field.js';

const radio = makeRadio({ paced: false, queueRecords: 10 });
radio.start(plan(), () => {});
await until(() => radio.status().reads > 10, 'the queue is full');
await sleep(20);
const before = performance.now();
await radio.stop();
assert(performance.now() - before < 500);
const { reads, dropped, endReason } = radio.status();
assert.equal(endReason, 'stopped');
assert.equal(dropped, 0);
assert.equal(drainSequences(radio).length, reads);
