/** An inventory ends by its stop condition, says so once, and lets the process end. */
import assert from 'node:assert/strict';
import { drainSequences, makeRadio, plan, sleep, stopAfter, until } from '../field.js';

const radio = makeRadio();
let calls = 0;
radio.start(plan({ stop: stopAfter({ durationMs: 150 }) }), () => calls++);
assert.equal(radio.status().endReason, '');
await until(() => calls > 0, 'the end is announced');
await sleep(20);
assert.equal(calls, 1);
const status = radio.status();
assert.equal(status.running, false);
assert.equal(status.endReason, 'duration');
assert(status.airTimeNs >= 150e6 && status.airTimeNs < 200e6);
assert.equal(drainSequences(radio).length, status.reads);
assert(status.reads > 50);
const byAntenna = Object.values(status.readsByAntenna).reduce((sum, n) => sum + n, 0);
assert.equal(byAntenna, status.reads);

radio.start(plan({ stop: stopAfter({ cycles: 2 }) }), () => calls++);
await until(() => calls > 1, 'the second end is announced');
assert.equal(radio.status().endReason, 'cycles');
assert.equal(radio.status().cycles, 2);
assert.equal(radio.status().rounds, 4);
