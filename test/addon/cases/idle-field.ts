/** A field without tags wakes nobody, however long it is read; only the end is told. */
import assert from 'node:assert/strict';
import { PHASE } from '../../../src/radio-control/addon/addon.js';
import { makeRadio, plan, until } from '../field.js';

const radio = makeRadio({ groups: [] });
assert.equal(radio.collect(10), true, 'it collects reads by itself');
assert.throws(() => radio.collect(0), { code: 'ERR_INVALID_ARGUMENT' });
let calls = 0;
assert.equal(radio.phase(), PHASE.ended);
radio.start(plan(), () => calls++);
assert.equal(radio.arm(), true, 'nothing waits');
await until(() => radio.status().rounds > 20, 'rounds pass');
assert.equal(calls, 0);
assert.equal(radio.phase(), PHASE.reading);
await radio.stop();
assert.equal(radio.phase(), PHASE.ended);
void radio.start(
  {
    ...plan(),
    start: {
      inputs: [{ port: 1, high: false, debounceMs: 0 }],
      restart: false,
      atNs: 0n,
      everyMs: 0,
    },
  },
  () => {},
);
await until(() => radio.status().waiting, 'it waits for its input');
assert.equal(radio.phase(), PHASE.waitingForStart);
await radio.stop();
const fast = makeRadio({ paced: false });
assert.equal(fast.collect(10), false, 'a radio that does not wait has nothing to collect for');
