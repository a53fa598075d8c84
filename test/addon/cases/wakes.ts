/** arm() asks for exactly one call; a full queue makes it say so instead. */
import assert from 'node:assert/strict';
import { drainSequences, makeRadio, plan, sleep, until } from '../field.js';

const radio = makeRadio();
let calls = 0;
radio.start(plan(), () => calls++);
await until(() => radio.status().reads > 5, 'tags are read');
assert.equal(radio.arm(), false, 'records are waiting');
drainSequences(radio);
while (!radio.arm()) drainSequences(radio);
await until(() => calls > 0, 'the armed queue wakes');
await sleep(50);
assert.equal(calls, 1, 'once');
await radio.stop();
