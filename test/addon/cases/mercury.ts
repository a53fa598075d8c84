/** A radio on an emulated module: open, read, ask, close; and what may not be done meanwhile. */
import assert from 'node:assert/strict';
import { loadAddon } from '../../../src/radio-control/addon/addon.js';
import { drainSequences, options, plan, until } from '../field.js';

const { MercuryEmulator, Radio } = loadAddon();
assert.deepEqual(MercuryEmulator.profiles(), ['m7e', 'm6e', 'nano', 'silion']);
assert.throws(
  () => new MercuryEmulator({ ...options(), profile: 'm8', baudPacing: false }),
  /profile: "m8" given; allowed: m7e, m6e, nano, silion/,
);
assert.throws(
  () => new Radio({ module: 'mercury', path: 'ttyUSB0', baud: -1 }),
  /path: "ttyUSB0" given; allowed: an absolute path; baud: -1 given/,
);

const emulator = new MercuryEmulator({ ...options(), profile: 'm6e', baudPacing: false });
const radio = new Radio({ module: 'mercury', path: emulator.path() });
const busy = { code: 'ERR_ALREADY_STARTED' };
assert.throws(() => radio.start(plan(), () => {}), /the radio module is not connected/);
await assert.rejects(async () => radio.health(), /the radio module is not connected/);
assert.equal(radio.link()?.connected, false);
await radio.open();
assert.equal(radio.link()?.connected, true);
assert.equal((await radio.health()).temperatureCelsius, 29);
await radio.setRegion(8, [865_700]);
assert.equal(radio.region()?.present, 8);
assert.throws(() => radio.setRegion(0, []), /number: 0 given; allowed: a whole number, 1\.\.255/);

for (let times = 0; times < 3; times++) {
  // A question that has not come to its turn does not get in the way of reading.
  const asked = radio.health().catch((error) => assert.match(error.message, /busy/));
  radio.start(plan(), () => {});
  assert.throws(() => radio.health(), busy);
  assert.throws(() => radio.open(), busy);
  assert.throws(() => radio.setRegion(1, []), busy);
  await until(() => radio.status().reads > 5, 'tags are read');
  await radio.stop();
  assert(drainSequences(radio).length > 5);
  await asked;
}
assert(emulator.counters().records > 15);
assert.equal(emulator.inject('no-such-fault'), false);
await radio.close();
assert.throws(() => radio.open(), /the radio is closed/);
assert.throws(() => radio.start(plan(), () => {}), /the radio module is not connected/);
emulator.close();
assert.equal(emulator.inject('reset'), false);
