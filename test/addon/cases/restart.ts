/** A radio can be started again: counters and sequence numbers begin again, time goes on. */
import assert from 'node:assert/strict';
import { RECORD } from '../../../src/radio-control/record.js';
import { drainSequences, makeRadio, plan, runToEnd, stopAfter, until } from '../field.js';

const radio = makeRadio({ paced: false });
const short = plan({ stop: stopAfter({ durationMs: 100 }) });
const first = await runToEnd(radio, short);
const second = await runToEnd(radio, short);
assert.equal(second.readBigUInt64LE(RECORD.sequence), 1n);
assert(second.readBigUInt64LE(RECORD.timeNs) > first.readBigUInt64LE(RECORD.timeNs) + 90_000_000n);
assert.equal(radio.status().reads * 104, second.length);

// Also at once after an end that nobody has noticed, and after stop().
await radio.start(short, () => {});
await until(() => !radio.status().running, 'it ends');
radio.start(plan(), () => {});
await radio.stop();
drainSequences(radio);
radio.start(plan(), () => {});
await until(() => radio.status().reads > 0, 'it reads again');
assert.equal(drainSequences(radio)[0], 1);
await radio.stop();
