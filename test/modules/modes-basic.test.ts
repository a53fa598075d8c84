/** Modes as they are by default, antennas, links and environments, on an emulated module. */
import t from 'tap';
import { epcOf, tagsOf } from '../modes/on-air.js';
import { openBoth, readBoth, refusals, runBoth, sameReports, sameRssi } from './on-module.js';

t.test('SIMPLE on four antennas reads each tag once, in S1, and reports it once', async (t) => {
  const both = await runBoth(t, { type: 'SIMPLE' });
  sameReports(t, both);
  t.equal(both.module.events.length, 10);
  t.equal(both.simulated.status.reads, 10, 'in S1 the other antennas do not hear them');
  // In real time: a machine that stalls gives flags of S1 the time to fall back.
  t.ok(both.module.status.reads < 20, `${both.module.status.reads} reads of the module`);
});

const FIELD = {
  antennas: [{ port: 1, position: [0, 0, 1.5] as [number, number, number], gainDbi: 6 }],
};
for (const type of ['SIMPLE', 'INVENTORY', 'CONVEYOR', 'CUSTOM']) {
  t.test(`${type} by default has the same events`, async (t) => {
    const both = await runBoth(t, { type }, { tags: tagsOf(1), field: FIELD });
    sameReports(t, both);
    t.equal(both.module.events.length, 1);
  });
}

t.test('every field of a read', async (t) => {
  const both = await runBoth(
    t,
    {
      type: 'CUSTOM',
      antennas: [1],
      tagMetaData: [
        ...['ANTENNA', 'RSSI', 'PHASE', 'CHANNEL', 'SEEN_COUNT', 'PC', 'XPC', 'CRC', 'TID'],
        'USER[0-1]',
        'MAC',
        'HOSTNAME',
        { userDefined: { dock: 7 } },
        { antennaPortNames: ['gate'] },
      ],
      reportFilter: { duration: 0, type: 'RADIO_WIDE' },
    },
    { tags: tagsOf(3), field: FIELD },
  );
  sameReports(t, both);
  sameRssi(t, both);
  for (const { data } of both.module.events) {
    t.match(data, { channel: 915.25, reads: 1, phase: Number });
    t.ok(data.phase >= 0 && data.phase < 360);
  }
});

t.test('PHASE and CHANNEL are left out unless every read is reported', async (t) => {
  const both = await runBoth(
    t,
    {
      type: 'CUSTOM',
      tagMetaData: ['PHASE', 'CHANNEL', 'RSSI'],
      reportFilter: { duration: 1, type: 'PER_ANTENNA' },
    },
    { tags: tagsOf(1), field: FIELD },
  );
  sameReports(t, both);
});

t.test('antennas are visited in the order of the mode, each with its power', async (t) => {
  const both = await runBoth(
    t,
    {
      type: 'CUSTOM',
      antennas: [3, 1],
      transmitPower: [17, 27],
      query: { session: 'S0' },
      reportFilter: { duration: 0, type: 'RADIO_WIDE' },
      tagMetaData: ['ANTENNA', 'RSSI'],
    },
    { cycles: 2 },
  );
  // Before a late host can stop it, a module may read in one round more.
  sameReports(t, both, false);
  sameRssi(t, both);
  for (const { events } of [both.simulated, both.module]) {
    const ports = events.map(({ data }) => data.antenna);
    t.same(
      ports.filter((port, i) => port !== ports[i - 1]),
      [3, 1, 3, 1],
    );
    t.ok(ports.length >= 40, `${ports.length} reads of 10 tags in 4 rounds`);
  }
});

t.test('without antennas all of them are used', async (t) => {
  const mode = {
    type: 'SIMPLE',
    query: { session: 'S0' },
    tagMetaData: ['ANTENNA'],
    reportFilter: { duration: 0, type: 'PER_ANTENNA' },
  };
  const both = await runBoth(t, mode, { ports: [2, 4] });
  sameReports(t, both);
  t.same([...new Set(both.module.events.map(({ data }) => data.antenna))], [2, 4]);
});

t.test('one power for all antennas, and 27 dBm by default', async (t) => {
  const radios = await openBoth(t);
  for (const [mode, power] of [
    [{ transmitPower: 25.5 }, 2550],
    [{}, 2700],
  ] as const) {
    const both = await readBoth(radios, { type: 'CUSTOM', query: { session: 'S0' }, ...mode });
    for (const { compiled } of [both.simulated, both.module]) {
      t.same(
        compiled.plan.antennas?.map(({ transmitPowerCdbm }) => transmitPowerCdbm),
        Array(4).fill(power),
      );
    }
  }
});

t.test('every environment reads all tags', async (t) => {
  for (const environment of [
    'LOW_INTERFERENCE',
    'HIGH_INTERFERENCE',
    'VERY_HIGH_INTERFERENCE',
    'AUTO_DETECT',
    'DEMO',
  ]) {
    const both = await runBoth(t, { type: 'SIMPLE', antennas: [1], environment });
    sameReports(t, both);
    t.equal(both.module.events.length, 10, environment);
  }
});

t.test('a tag whose PC says that it is no EPC', async (t) => {
  const both = await runBoth(
    t,
    {
      type: 'CUSTOM',
      antennas: [1],
      query: { session: 'S0' },
      reportFilter: { duration: 0, type: 'RADIO_WIDE' },
      tagMetaData: ['PC', 'XPC', 'TAGURI'],
      access: [{ type: 'WRITE', config: { membank: 'EPC', wordPointer: 1, data: '3117' } }],
    },
    {
      cycles: 2,
      tags: tagsOf(1, { killPassword: 1 }),
      field: {
        models: [
          {
            name: 'untraceable',
            epcWords: 8,
            userWords: 8,
            writeSensitivityDbm: -30,
            untraceable: true,
          },
        ],
      },
    },
  );
  sameReports(t, both, false);
  t.match(both.module.events[1].data, { format: 'uii', XPC: /^[0-9a-f]{4}$/ });
});

t.test('beams and directions are refused with the name of the field', async (t) => {
  const settings = { directionalitySettings: { basicConfig: {}, advancedConfig: {} } };
  for (const [mode, field] of [
    [{ type: 'CUSTOM', beams: [{ azimuth: 0, elevation: 30 }] }, /^beams/],
    [{ type: 'DIRECTIONALITY', ...settings }, /^type|^directionality/],
  ] as const) {
    const { simulated, module } = await refusals(t, mode);
    t.same(module, simulated);
    t.match(module[0], field);
  }
});

t.test('the EPC of each kind of module is the same', async (t) => {
  for (const profile of ['m6e', 'nano']) {
    const run = { tags: tagsOf(4) };
    const both = await readBoth(
      await openBoth(t, run, profile),
      { type: 'SIMPLE', antennas: [1], tagMetaData: ['TID', 'ANTENNA'] },
      run,
    );
    sameReports(t, both);
    t.same(
      both.module.events.map(({ data }) => data.idHex).sort(),
      [0, 1, 2, 3].map((i) => epcOf(i)),
    );
  }
});
