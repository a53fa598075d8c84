/** Wrong options and plans are refused with a code and with every violation by its path. */
import assert from 'node:assert/strict';
import type { PlanInput, VirtualOptions } from '../../../src/radio-control/addon/addon.js';
import { loadAddon } from '../../../src/radio-control/addon/addon.js';
import { antenna, makeRadio, options, plan, stopAfter } from '../field.js';

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
  { field: 'module', message: '"serial" given; allowed: "virtual", "replay", "mercury"' },
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
const misfit = { ...tag, epc: new Uint8Array(12), model: 1, axis: [1, 2], tid: 'E2', lock: 70_000 };
assert.deepEqual(
  refused({
    ...options(),
    antennas: [{ port: 1, position: [0, 0, 2], gainDbi: 6, beams: [{ gainDbi: 'much' }] }],
    channelRule: 400,
    models: [{ name: 5, blockWrite: 1 }],
    groups: [{ waypoints: [[0, 0, 0, 0]], periodSeconds: 0, tags: [misfit] }],
    fading: { holdMs: 0.5 },
    framePolicy: 'clever',
  }).violations.map(({ field, message }) => `${field}: ${message}`),
  [
    'framePolicy: "clever" given; allowed: "adaptive", "q-algorithm", "known-population"',
    'antennas[0].beams[0].gainDbi: "much" given; allowed: a number',
    'channelRule: 400 given; allowed: an object',
    'models[0].name: 5 given; allowed: a string',
    'models[0].blockWrite: 1 given; allowed: true, false',
    'groups[0].tags[0].axis: allowed: three numbers of metres',
    'groups[0].tags[0].tid: "E2" given; allowed: a Uint8Array',
    'groups[0].tags[0].lock: 70000 given; allowed: a whole number, 0..65535',
    'fading.holdMs: 0.5 given; allowed: a whole number, 0..4294967295',
  ],
);
assert.deepEqual(
  refused({ module: 'replay', paced: true, records: new Uint8Array(95) }).violations.map(
    ({ field }) => field,
  ),
  ['records'],
);

// Everything there is, and right: nothing is refused.
makeRadio({
  antennas: [
    {
      port: 1,
      position: [0, 0, 2],
      gainDbi: 9,
      direction: [0, 0, -1],
      widthDeg: 70,
      cableLossDb: 1,
      axis: [1, 0, 0],
      beams: [{ gainDbi: 12, direction: [1, 0, -1], widthDeg: 30 }],
    },
  ],
  channelRule: {
    dwellMs: 400,
    offMs: 100,
    windowMs: 20_000,
    occupancyMs: 400,
    listenMs: 5,
    busyShare: 0.1,
  },
  models: [
    { name: 'a chip', epcWords: 8, userWords: 4, writeSensitivityDbm: -16, blockWrite: true },
  ],
  groups: [
    {
      waypoints: [[0, 0, 0, 0]],
      periodSeconds: 0,
      turnSeconds: 8,
      tags: [
        {
          epc: new Uint8Array(12),
          offset: [1, 0, 0],
          sensitivityDbm: -20,
          model: 0,
          axis: [0, 1, 0],
          tid: new Uint8Array(12),
          user: new Uint8Array(8),
          killPassword: 1,
          accessPassword: 2 ** 32 - 1,
          lock: 0x3ff,
        },
      ],
    },
  ],
  fading: { kDb: 6, holdMs: 40 },
  captureDb: 6,
  replyLoss: 0.01,
  framePolicy: 'q-algorithm',
  qStep: 0.2,
});

const radio = makeRadio();
const bad = caught(() =>
  radio.start(
    plan({
      antennas: [antenna(1), { ...antenna(1), transmitPowerCdbm: 4000 }, antenna(9)],
      linkProfile: 'M16-40',
      stop: stopAfter({ durationMs: -1, cycles: 1.5 }),
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
assert.equal(fillBatch(new Uint8Array(104 * 2000 + 5)), 2000);
