/** process.exit() while two radios run. */
import assert from 'node:assert/strict';
import { drainSequences, makeRadio, plan, until } from '../field.js';

const paced = makeRadio();
const fast = makeRadio({ paced: false, queueRecords: 100 });
paced.start(plan(), () => {});
fast.start(plan(), () => drainSequences(fast));
await until(() => paced.status().reads > 5, 'tags are read');
assert(fast.status().running);
fast.arm();
process.exit(0);
