import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { loadScenario } from '../../src/radio-control/scenario/load-scenario.js';
import type { VirtualField } from '../../src/radio-control/scenario/virtual-field.js';
import { isSingulateError } from '../../src/shared/errors.js';

const TAGS = { epc: 'urn:epc:tag:giai-96:0.9521141.{serial}', at: [0, 0, 0] };
const ANTENNA = { port: 1, position: [0, 0, 1] };

async function load(t: Test, scenario: object): Promise<VirtualField> {
  const file = join(t.testdir({}), 'field.json');
  writeFileSync(file, JSON.stringify(scenario));
  return loadScenario(file);
}

async function refusal(t: Test, scenario: object): Promise<string> {
  try {
    await load(t, scenario);
  } catch (error) {
    if (isSingulateError(error, 'CONFIG')) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}

t.test('antennas, propagation and turntables reach the radio as they are', async (t) => {
  const antenna = {
    ...ANTENNA,
    ...{ direction: [0, 0, -1], widthDeg: 70, cableLossDb: 1.5, axis: [1, 0, 0], gainDbi: 8 },
    beams: [{ gainDbi: 12, direction: [1, 0, -1], widthDeg: 30 }],
  };
  const propagation = { fading: { kDb: 3, holdMs: 30 }, captureDb: 6, replyLoss: 0.1 };
  const group = { position: [0, 0, 0], turnSeconds: 4, tags: [{ ...TAGS, axis: [0, 0, 1] }] };
  const field = await load(t, { antennas: [antenna], propagation, groups: [group] });
  t.strictSame(field.antennas, [antenna]);
  t.match(field, propagation);
  t.equal(field.groups[0]?.turnSeconds, 4);
  t.strictSame(field.groups[0]?.tags[0]?.axis, [0, 0, 1]);
});

t.test('a line is a path of two points at its speed', async (t) => {
  const line = {
    ...{ from: [0, -3, 0], to: [0, 3, 0], metresPerSecond: 1.5 },
    ...{ everySeconds: 8, startSeconds: -2 },
  };
  const groups = [{ line, repeat: { times: 2, secondsApart: 4 }, tags: [TAGS] }];
  const field = await load(t, { antennas: [ANTENNA], groups });
  t.match(field.groups[1], {
    waypoints: [
      [0, 0, -3, 0],
      [4, 0, 3, 0],
    ],
    periodSeconds: 8,
    offsetSeconds: 2,
  });
});

t.test(
  'channels of its own have a rule of their own, and a busy share if it listens',
  async (t) => {
    const rule = { offMs: 50, windowMs: 2000, occupancyMs: 500, listenMs: 5 };
    const channels = { kHz: [915_250, 903_250], dwellMs: 400 };
    const groups = [{ position: [0, 0, 0], tags: [TAGS] }];
    const scenario = { antennas: [ANTENNA], groups, busyShare: 0.3 };
    const ruleOf = async (more: object) =>
      (await load(t, { ...scenario, channels: { ...channels, ...more } })).channelRule;
    t.strictSame(await ruleOf({ rule }), { dwellMs: 400, ...rule, busyShare: 0.3 });
    t.strictSame(await ruleOf({}), { dwellMs: 400 });
  },
);

const group = (more: object) => ({ antennas: [ANTENNA], groups: [{ tags: [TAGS], ...more }] });
const tags = (more: object) => group({ position: [0, 0, 0], tags: [{ ...TAGS, ...more }] });
const antenna = (more: object) => ({
  ...group({ position: [0, 0, 0] }),
  antennas: [{ ...ANTENNA, ...more }],
});
const line = (more: object) =>
  group({ line: { from: [0, 0, 0], to: [0, 3, 0], metresPerSecond: 1, ...more } });

const rule = (more: object) => ({
  ...group({ position: [0, 0, 0] }),
  channels: { kHz: [915_250], dwellMs: 400, rule: more },
});

const REFUSED: [what: string, scenario: object, message: string][] = [
  ['a line of no length', line({ to: [0, 0, 0] }), 'groups[0].line.to: is the same as from'],
  [
    'a line taken again before its end',
    line({ everySeconds: 2 }),
    'groups[0].line.everySeconds: 2 given; allowed: at least 3.000',
  ],
  ['a width without direction', antenna({ widthDeg: 60 }), 'antennas[0].direction: is missing'],
  [
    'no direction at all',
    antenna({ widthDeg: 60, direction: [0, 0, 0] }),
    'antennas[0].direction: [0,0,0] given; allowed: a vector 1e-6..1e6 long',
  ],
  [
    'a width too narrow',
    antenna({ widthDeg: 5 }),
    'antennas[0].widthDeg: 5 given; allowed: 10..180',
  ],
  [
    'a direction that is hardly there',
    antenna({ widthDeg: 60, direction: [1e-9, 0, 0] }),
    'antennas[0].direction: [1e-9,0,0] given; allowed: a vector 1e-6..1e6 long',
  ],
  [
    'more beams than the core takes',
    antenna({ beams: Array(512).fill({ gainDbi: 6, direction: [1, 0, 0], widthDeg: 30 }) }),
    'given; allowed: 1..511 entries',
  ],
  [
    'a turntable too fast',
    group({ position: [0, 0, 0], turnSeconds: 0.01 }),
    'groups[0].turnSeconds: 0.01 given; allowed: 0.1..86400',
  ],
  [
    'an EPC longer than the chip has room for',
    tags({ epc: undefined, epcs: ['11'.repeat(14)], model: 'monza-r6' }),
    'allowed: up to 6 words, what monza-r6 has',
  ],
  [
    'a window without occupancy',
    rule({ windowMs: 2000 }),
    'channels.rule: windowMs and occupancyMs need each other; allowed: both or none',
  ],
  [
    'an occupancy longer than its window',
    rule({ windowMs: 500, occupancyMs: 600 }),
    'channels.rule.occupancyMs: 600 given; allowed: at most windowMs, 500',
  ],
  [
    'an unknown chip',
    tags({ model: 'z80' }),
    'groups[0].tags[0].model: "z80" given; allowed: monza',
  ],
  [
    'USER memory without a chip',
    tags({ user: '1234' }),
    'groups[0].tags[0].user: "1234" given; allowed: a model with USER memory',
  ],
  [
    'more USER memory than the chip has',
    tags({ model: 'monza-5', user: '111122223333' }),
    'allowed: up to 2 words of 4 hexadecimal digits, what monza-5 has',
  ],
  ['half a word', tags({ model: 'monza-5', user: '11' }), 'tags[0].user: "11" given'],
  ['a short password', tags({ killPassword: '123' }), 'tags[0].killPassword: "123" given'],
  [
    'an unknown lock state',
    tags({ locks: { epc: 'shut' } }),
    'tags[0].locks.epc: "shut" given; allowed: open, open-for-ever, secured, never',
  ],
  [
    'a share of lost replies above 1',
    { ...tags({}), propagation: { replyLoss: 2 } },
    'propagation.replyLoss: 2 given; allowed: 0..1',
  ],
];

for (const [what, scenario, message] of REFUSED) {
  t.test(`${what} is refused with its field and what is allowed`, async (t) => {
    const text = await refusal(t, scenario);
    t.ok(text.includes(message), `${text}\n  wanted: ${message}`);
  });
}
