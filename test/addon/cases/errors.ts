/** Wrong options and plans are refused with a code and with every violation by its path. */
import assert from 'node:assert/strict';
import type { PlanInput, VirtualOptions } from '../../../src/radio-control/addon/addon.js';
import { loadAddon } from '../../../src/radio-control/addon/addon.js';
import { antenna, makeRadio, options, plan } from '../field.js';

interface NativeError extends Error {
  code: string;
  violations: { field: string; message: string }[];
}

function caught(action: () => unknown): NativeError {
  try {
    action();
  } catch (error) {
    return error as NativeError;
  }
  throw new assert.AssertionError({ message: 'nothing was thrown' });
}

const { Radio, fillBatch } = loadAddon();
const refused = (given: unknown) => caught(() => new Radio(given as VirtualOptions));

for (const nothing of [undefined, null, 5, 'virtual']) {
  assert.equal(refused(nothing).code, 'ERR_INVALID_OPTIONS');
}
assert.deepEqual(refused({ module: 'serial' }).violations, [
  { field: 'module', message: '"serial" given; allowed: "virtual", "replay"' },
]);
const tag = { epc: new Uint8Array(3), offset: [0, 0, 0], sensitivityDbm: -18 };
const wrong = refused({
  ...options(),
  groups: [{ waypoints: [], periodSeconds: 0, tags: [tag] }],
  channelsKhz: [],
});
assert.deepEqual(
  wrong.violations.map(({ field }) => field),
  ['channelsKhz', 'groups[0].waypoints', 'groups[0].tags[0].epc'],
);
assert.deepEqual(
  refused({ ...options(), seed: -1, paced: 'yes', antennas: [{ port: 300 }] }).violations.map(
    ({ field }) => field,
  ),
  ['paced', 'seed', 'antennas[0].port', 'antennas[0].position', 'antennas[0].gainDbi'],
);
assert.deepEqual(
  refused({ module: 'replay', paced: true, records: new Uint8Array(95) }).violations.map(
    ({ field }) => field,
  ),
  ['records'],
);

const radio = makeRadio();
const bad = caught(() =>
  radio.start(
    plan({
      antennas: [antenna(1), { ...antenna(1), transmitPowerCdbm: 4000 }, antenna(9)],
      linkProfile: 'M16-40',
      stop: { durationMs: -1, cycles: 1.5 },
    }),
    () => {},
  ),
);
assert.equal(bad.code, 'ERR_INVALID_PLAN');
assert.deepEqual(bad.violations.map(({ field }) => field).sort(), [
  'antennas[1].port',
  'antennas[1].transmit_power_cdbm',
  'antennas[2].port',
  'link_profile',
  'stop.cycles',
  'stop.duration_ms',
]);
assert.match(bad.message, /antennas\[1\]\.transmit_power_cdbm: 4000 given; allowed: 0\.\.3300/);
assert.equal(caught(() => radio.start({} as PlanInput, () => {})).code, 'ERR_INVALID_PLAN');
assert.equal(caught(() => radio.start(plan(), 5 as never)).code, 'ERR_INVALID_ARGUMENT');
assert.equal(caught(() => radio.drain([] as never)).code, 'ERR_INVALID_ARGUMENT');
assert.equal(caught(() => fillBatch('x' as never)).code, 'ERR_INVALID_ARGUMENT');
assert.equal(radio.status().running, false);
assert.equal(fillBatch(new Uint8Array(96 * 2000 + 5)), 2000);
