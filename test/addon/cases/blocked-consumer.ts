/** A blocked JS thread does not stop a paced radio: it loses the newest reads and counts them. */
import assert from 'node:assert/strict';
import { drainSequences, makeRadio, plan, until } from '../field.js';

const radio = makeRadio({ queueRecords: 8 });
radio.start(plan(), () => {});
await until(() => radio.status().reads > 0, 'tags are read');
const sequences = drainSequences(radio);
const blockedUntil = performance.now() + 300;
while (performance.now() < blockedUntil);
await radio.stop();
sequences.push(...drainSequences(radio));
const status = radio.status();
assert(status.dropped > 20, `${status.dropped} dropped`);
assert.equal(sequences.length + status.dropped, status.reads);
assert(sequences.every((n, i) => i === 0 || n > (sequences[i - 1] as number)));
assert(status.airTimeNs > 250e6, 'the radio went on');
