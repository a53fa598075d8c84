import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { checkScenario } from '../../src/radio-control/scenario/check-scenario.js';
import { scenarioFile, scenarioNames } from '../../src/radio-control/scenario/library.js';
import { loadScenario } from '../../src/radio-control/scenario/load-scenario.js';
import type { VirtualField, VirtualGroup } from '../../src/radio-control/scenario/virtual-field.js';
import { isSingulateError } from '../../src/shared/errors.js';

const TAGS = { epc: 'urn:epc:tag:giai-96:0.9521141.{serial}', at: [0, 1, 1] };
const SMALL = {
  antennas: [{ port: 1, position: [0, 0, 1] }],
  groups: [{ position: [0, 0, 0], tags: [TAGS] }],
};

function file(t: Test, content: unknown): string {
  const path = join(t.testdir({}), 'field.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

async function refusal(nameOrFile: string): Promise<string> {
  try {
    await loadScenario(nameOrFile);
  } catch (error) {
    if (isSingulateError(error, 'CONFIG')) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const epcsOf = (field: VirtualField) =>
  field.groups.flatMap((g) => g.tags.map(({ epc }) => hex(epc)));

t.test('a small scenario with all its defaults', async (t) => {
  const field = await loadScenario(file(t, SMALL));
  t.match(field, {
    seed: 1,
    antennas: [{ port: 1, position: [0, 0, 1], gainDbi: 6 }],
    channelRule: { dwellMs: 400, windowMs: 20_000, occupancyMs: 400 },
    groups: [{ waypoints: [[0, 0, 0, 0]], periodSeconds: 0, tags: [{ offset: [0, 1, 1] }] }],
  });
  t.equal(field.channelsKhz.length, 50);
  t.strictSame(
    [Math.min(...field.channelsKhz), Math.max(...field.channelsKhz)],
    [902_750, 927_250],
  );
  t.notSame(field.channelsKhz, [...field.channelsKhz].sort(), 'hopping is a permutation');
  const sensitivity = field.groups[0]?.tags[0]?.sensitivityDbm as number;
  t.ok(sensitivity >= -22 && sensitivity <= -18);
});

t.test('the same file gives the same field, another seed another one', async (t) => {
  const [a, b] = [await loadScenario('dock-door'), await loadScenario('dock-door')];
  t.strictSame(a, b);
  const box = { center: [0, 0, 0], size: [1, 1, 1] };
  const tags = [{ epc: TAGS.epc, count: 5, box }];
  const seeded = (seed: number) =>
    loadScenario(file(t, { ...SMALL, seed, groups: [{ position: [0, 0, 0], tags }] }));
  t.notSame((await seeded(1)).groups, (await seeded(2)).groups);
});

t.test('channels of a region, and channels of its own', async (t) => {
  t.strictSame(
    (await loadScenario(file(t, { ...SMALL, region: 'etsi-lower' }))).channelsKhz,
    [865_700, 866_300, 866_900, 867_500],
  );
  const own = { kHz: [915_250, 903_250], dwellMs: 400 };
  t.match(await loadScenario(file(t, { ...SMALL, channels: own })), {
    channelsKhz: own.kHz,
    channelRule: { dwellMs: 400 },
  });
});

t.test('repeated groups move one after the other and count their serials on', async (t) => {
  const field = await loadScenario(
    file(t, {
      ...SMALL,
      groups: [
        {
          path: {
            waypoints: [
              { seconds: 0, position: [0, -1, 0] },
              { seconds: 4, position: [0, 1, 0] },
            ],
            everySeconds: 30,
            startSeconds: -2,
          },
          repeat: { times: 3, secondsApart: 10 },
          tags: [{ ...TAGS, count: 2, firstSerial: 100 }],
        },
      ],
    }),
  );
  t.strictSame(
    field.groups.map(({ offsetSeconds, periodSeconds }) => [offsetSeconds, periodSeconds]),
    [
      [-2, 30],
      [8, 30],
      [18, 30],
    ],
  );
  t.strictSame(
    epcsOf(field).map((epc) => Number.parseInt(epc.slice(-4), 16)),
    [100, 101, 102, 103, 104, 105],
  );
});

t.test('tags of a box lie in it, those of a grid in the middle of its cells', async (t) => {
  const box = { center: [1, 2, 3], size: [2, 4, 6] };
  const at = async (more: object, count: number) => {
    const tags = [{ epc: TAGS.epc, count, box: { ...box, ...more } }];
    const field = await loadScenario(
      file(t, { ...SMALL, groups: [{ position: [0, 0, 0], tags }] }),
    );
    return (field.groups[0] as VirtualGroup).tags.map(({ offset }) => offset);
  };
  for (const [x, y, z] of await at({}, 50)) {
    t.ok(Math.abs(x - 1) <= 1 && Math.abs(y - 2) <= 2 && Math.abs(z - 3) <= 3);
  }
  t.strictSame(await at({ grid: [2, 1, 2] }, 4), [
    [0.5, 2, 1.5],
    [1.5, 2, 1.5],
    [0.5, 2, 4.5],
    [1.5, 2, 4.5],
  ]);
});

t.test('a wrong file is one line that names the file and every wrong field', async (t) => {
  const group = SMALL.groups[0];
  const tags = (more: object) => ({
    ...SMALL,
    groups: [{ ...group, tags: [{ ...TAGS, ...more }] }],
  });
  const path = (more: object) => ({
    ...SMALL,
    groups: [
      {
        path: {
          waypoints: [
            { seconds: 0, position: [0, 0, 0] },
            { seconds: 5, position: [0, 0, 0] },
          ],
          ...more,
        },
        tags: [TAGS],
      },
    ],
  });
  const cases: [unknown, string][] = [
    ['{"groups": ', 'is not JSON: '],
    ['[]', ': [] given; allowed: an object'],
    [
      { tags: 3 },
      'antennas: is missing; groups: is missing; tags: is not known; allowed: $schema, ',
    ],
    [
      { ...SMALL, seed: -1, region: 'mars' },
      'seed: -1 given; allowed: 0..4294967295; region: "mars" given; allowed: australia, bangladesh, brazil, china, etsi-lower',
    ],
    [
      { ...SMALL, antennas: [{ port: 0, position: [0, 1] }] },
      'antennas[0].port: 0 given; allowed: 1..255; antennas[0].position: [0,1] given; allowed: exactly 3 entries',
    ],
    [
      { ...SMALL, antennas: [...SMALL.antennas, ...SMALL.antennas] },
      'antennas[1].port: 1 given twice; allowed: each port once',
    ],
    [
      { ...SMALL, region: 'fcc', channels: { kHz: [915_000], dwellMs: 100 } },
      'channels: given beside region; allowed: one of the two',
    ],
    [
      { ...SMALL, groups: [{ tags: [TAGS] }] },
      'groups[0]: exactly one of position, path, line is needed',
    ],
    [
      { ...SMALL, groups: [{ ...group, repeat: { times: 2, secondsApart: 3 } }] },
      'groups[0].repeat.secondsApart: allowed only with a path',
    ],
    [
      path({ everySeconds: 4 }),
      'groups[0].path.everySeconds: 4 given; allowed: at least 5, the time of the last waypoint',
    ],
    [
      path({
        waypoints: [
          { seconds: 2, position: [0, 0, 0] },
          { seconds: 2, position: [0, 0, 0] },
        ],
      }),
      'groups[0].path.waypoints[1].seconds: 2 given; allowed: above 2, the time before it',
    ],
    [tags({ epcs: ['e280'] }), 'groups[0].tags[0]: exactly one of epc, epcs is needed'],
    [tags({ at: undefined }), 'groups[0].tags[0]: exactly one of at, box is needed'],
    [
      tags({ epc: 'urn:epc:tag:xx:1' }),
      'groups[0].tags[0].epc: "urn:epc:tag:xx:1" given; allowed: ',
    ],
    [tags({ count: 5, countUpTo: 3 }), 'countUpTo: 3 given; allowed: at least count, 5'],
    [tags({ count: 5, lastSerial: 3 }), 'lastSerial: 3 given; more tags than serial numbers'],
    [
      tags({ sensitivityDbm: [-18, -22] }),
      'sensitivityDbm: [-18,-22] given; allowed: [lowest, highest]',
    ],
    [tags({ count: 200_000 }), 'groups: 200000 tags in all; allowed: at most 100000'],
    [
      tags({
        at: undefined,
        count: 9,
        box: { center: [0, 0, 0], size: [1, 1, 1], grid: [2, 2, 2] },
      }),
      'box.grid: [2,2,2] given: 8 cells; allowed: at least 9, one for each tag',
    ],
    [
      { ...SMALL, groups: [group, group] },
      'groups[1].tags[0].epc: EPC 3416451fd400000000000001 is that of groups[0].tags[0].epc too',
    ],
    [tags({ firstSerial: 2 ** 53 }), 'groups[0].tags[0].firstSerial: '],
  ];
  for (const [content, expected] of cases) {
    const where = file(t, content);
    const text = await refusal(where);
    t.ok(text.startsWith(`scenario ${where}`), text);
    t.ok(text.includes(expected), `${text}\n  wanted: ${expected}`);
    t.notMatch(text, '\n');
  }
});

t.test('an unknown name lists the names there are', async (t) => {
  t.equal(
    await refusal('dock-dor'),
    'scenario "dock-dor" is not known; allowed: array-reader, conveyor, dock-door, race-finish, retail-shelf, smart-cabinet, worst-case-10k, or the path of a JSON file',
  );
  t.match(await refusal('./no-such.json'), /^scenario \.\/no-such\.json cannot be read: ENOENT/);
});

t.test('the scenarios of the library pass the checks that loading them leaves out', async (t) => {
  for (const name of scenarioNames()) {
    t.strictSame(checkScenario(JSON.parse(readFileSync(scenarioFile(name), 'utf8'))), [], name);
  }
});

t.test('the dock door: pallets of cases, one label and one pallet each, without end', async (t) => {
  const { groups, antennas } = await loadScenario('dock-door');
  const pallets = groups.filter(({ waypoints }) => waypoints.length > 1);
  t.equal(antennas.length, 4);
  t.equal(pallets.length, 12);
  const header = (epc: Uint8Array) => hex(epc).slice(0, 2);
  for (const { tags, periodSeconds } of pallets) {
    const count = (scheme: string) => tags.filter(({ epc }) => header(epc) === scheme).length;
    t.ok(count('30') >= 30 && count('30') <= 40);
    t.strictSame([count('31'), count('33')], [1, 1]);
    t.ok(periodSeconds > 0);
  }
  const all = groups.flatMap(({ tags }) => tags.map(({ epc }) => hex(epc)));
  t.equal(new Set(all).size, all.length);
});
