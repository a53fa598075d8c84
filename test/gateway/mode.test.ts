/** Operating mode to InventoryPlan, and every way to be wrong. */
import t from 'tap';
import { ReportFilter, Session, Target } from '../../src/contract/messages.js';
import { type CompiledMode, compileMode } from '../../src/reader-gateway/mode/compile.js';
import { FAKE_CAPABILITIES } from './fake-radio.js';

const { Kind, Scope } = ReportFilter;
const UNSUPPORTED = 'not supported by this version';

function compile(mode: object, radio: object = {}): CompiledMode {
  const result = compileMode(mode, { ...FAKE_CAPABILITIES, ...radio });
  if (!result.ok) throw new Error(JSON.stringify(result.violations));
  return result.value;
}

t.test('a mode with nothing but its type reads with the documented defaults', async (t) => {
  const { plan, mode } = compile({ type: 'SIMPLE' });
  t.same(plan, {
    antennas: [1, 2, 3, 4].map((port) => ({
      port,
      transmitPowerCdbm: 2700,
      query: { session: Session.SESSION_S1, target: Target.TARGET_A, tagPopulation: 1 },
      dwell: { rounds: 1, durationMs: 250 },
    })),
    linkProfile: 'M4-250',
    reportFilter: { kind: Kind.ONCE, scope: Scope.RADIO_WIDE, periodMs: 0 },
  });
  t.same(mode, { type: 'SIMPLE' });
});

const S = 'SIMPLE';
const everyRead = { duration: 0, type: 'RADIO_WIDE' };
const filters: [string, object, object][] = [
  ['SIMPLE reports once', { type: S }, [Kind.ONCE, Scope.RADIO_WIDE, 0]],
  ['CUSTOM is like SIMPLE', { type: 'CUSTOM' }, [Kind.ONCE, Scope.RADIO_WIDE, 0]],
  ['CONVEYOR reports once per antenna', { type: 'CONVEYOR' }, [Kind.ONCE, Scope.PER_ANTENNA, 0]],
  [
    'INVENTORY reports every minute',
    { type: 'INVENTORY' },
    [Kind.INTERVAL, Scope.PER_ANTENNA, 60_000],
  ],
  [
    'INVENTORY takes inventorySettings',
    { type: 'INVENTORY', inventorySettings: { interval: { value: 2, unit: 'hours' } } },
    [Kind.INTERVAL, Scope.PER_ANTENNA, 7_200_000],
  ],
  [
    'INVENTORY takes modeSpecificSettings',
    { type: 'INVENTORY', modeSpecificSettings: { interval: { value: 5, unit: 'seconds' } } },
    [Kind.INTERVAL, Scope.PER_ANTENNA, 5000],
  ],
  [
    'duration 0 reports every read',
    { type: S, reportFilter: everyRead },
    [Kind.EVERY_READ, Scope.RADIO_WIDE, 0],
  ],
  [
    'a duration reports again after it',
    { type: 'CUSTOM', reportFilter: { duration: 4294967295, type: 'PER_ANTENNA' } },
    [Kind.PERIODIC, Scope.PER_ANTENNA, 4294967295000],
  ],
];
for (const [name, mode, [kind, scope, periodMs]] of filters as [string, object, number[]][]) {
  t.test(`report filter: ${name}`, async (t) => {
    t.same(compile(mode).plan.reportFilter, { kind, scope, periodMs });
  });
}

t.test('values per antenna go to their antennas, in the order of the antennas', async (t) => {
  const { plan } = compile({
    type: 'CUSTOM',
    antennas: [3, 1],
    transmitPower: [30, 10.25],
    antennaStopCondition: [
      { type: 'DURATION', value: 500 },
      { type: 'INVENTORY_COUNT', value: 3 },
    ],
    query: [
      { session: 2, target: 'AB', tagPopulation: 40 },
      { session: 'S3', tagpopulation: 7 },
    ],
    linkProfile: 2,
    radioStopConditions: { duration: 1.5, antennaCycles: 9 },
    delayBetweenAntennaCycles: { type: 'DISABLED', duration: 0 },
    selects: [],
  });
  t.same(plan.antennas, [
    {
      port: 3,
      transmitPowerCdbm: 3000,
      query: { session: 2, target: Target.TARGET_AB, tagPopulation: 40 },
      dwell: { durationMs: 500 },
    },
    {
      port: 1,
      transmitPowerCdbm: 1025,
      query: { session: 3, target: Target.TARGET_A, tagPopulation: 7 },
      dwell: { rounds: 3 },
    },
  ]);
  t.same(plan.stop, { durationMs: 1500, cycles: 9 });
});

const environments: [string, string[], string][] = [
  ['LOW_INTERFERENCE', ['M4-250', 'FM0-640', 'M2-320'], 'FM0-640'],
  ['LOW_INTERFERENCE', ['X'], 'X'],
  ['HIGH_INTERFERENCE', ['M4-320', 'M4-250'], 'M4-250'],
  ['VERY_HIGH_INTERFERENCE', ['M4-320', 'M8-160'], 'M8-160'],
  ['VERY_HIGH_INTERFERENCE', ['M4-320'], 'M4-320'],
  ['AUTO_DETECT', ['M4-320', 'M4-250'], 'M4-320'],
  ['DEMO', ['M4-320', 'M2-320'], 'M2-320'],
];
for (const [environment, linkProfiles, expected] of environments) {
  t.test(`${environment} on ${linkProfiles} takes ${expected}`, async (t) => {
    t.equal(compile({ type: S, environment }, { linkProfiles }).plan.linkProfile, expected);
  });
}

t.test('the default power is what the radio can do if that is less than 27 dBm', async (t) => {
  const { plan } = compile({ type: S, antennas: [1] }, { maxTransmitPowerCdbm: 2400 });
  t.equal(plan.antennas?.[0]?.transmitPowerCdbm, 2400);
});

t.test('metadata decides what events carry', async (t) => {
  t.match(compile({ type: 'CONVEYOR' }).content, { antenna: true, rssi: false });
  t.match(compile({ type: 'INVENTORY' }).content, { antenna: true, rssi: true, seenCount: true });
  const tagMetaData = ['PHASE', 'CHANNEL', 'PC', { userDefined: 7 }, { antennaNames: ['a', 'b'] }];
  const once = compile({ type: S, antennas: [2, 4], tagMetaData });
  t.match(once.content, { phase: false, channel: false, pc: true, userDefined: 7 });
  t.same(
    [...once.content.antennaNames],
    [
      [2, 'a'],
      [4, 'b'],
    ],
  );
  const all = compile({ type: S, antennas: [2, 4], tagMetaData, reportFilter: everyRead });
  t.match(all.content, { phase: true, channel: true });
});

/** Mode, then each `field: message` it must give. */
const wrong: [object, ...string[]][] = [
  [{}, 'type: is required'],
  [{ type: 'FAST' }, 'type: "FAST" is not one of SIMPLE'],
  [{ type: 7 }, 'type: 7 is not a text'],
  [{ type: 'PORTAL' }, `type: "PORTAL" is ${UNSUPPORTED}`],
  [{ type: 'DIRECTIONALITY' }, `type: "DIRECTIONALITY" is ${UNSUPPORTED}`],
  [{ antennas: [9] }, 'type: is required', 'antennas[0]: 9 is not one of'],
  [{ type: S, antennas: [] }, 'antennas: needs at least 1 entry'],
  [{ type: S, antennas: 'all' }, 'antennas: "all" is not an array'],
  [{ type: S, antennas: [1, 'x'] }, 'antennas[1]: "x" is not an integer'],
  [{ type: S, antennas: [1, 5] }, "antennas[1]: 5 is not one of the radio's antennas 1, 2, 3, 4"],
  [{ type: S, antennas: [2, 2] }, 'antennas[1]: 2 is listed twice'],
  [{ type: S, transmitPower: 31 }, "transmitPower: 31 is above the radio's maximum of 30"],
  [{ type: S, transmitPower: 9.99 }, "transmitPower: 9.99 is below the radio's minimum of 10"],
  [{ type: S, transmitPower: '20' }, 'transmitPower: "20" is not a number or an array'],
  [{ type: S, transmitPower: [20] }, 'transmitPower: has 1 entry for 4 antennas'],
  [
    { type: S, antennas: [1, 2], transmitPower: [45, 5] },
    'transmitPower[0]: 45 is above',
    'transmitPower[1]: 5 is below',
  ],
  [{ type: S, antennas: 0, transmitPower: [45] }, 'antennas: 0', 'transmitPower[0]: 45 is above'],
  [{ type: S, environment: 'QUIET' }, 'environment: "QUIET" is not one of LOW_INTERFERENCE'],
  [{ type: S, linkProfile: 'M4' }, 'linkProfile: "M4" is not an integer'],
  [
    { type: S, antennaStopCondition: {} },
    'antennaStopCondition.type: is required',
    'antennaStopCondition.value: is required',
  ],
  [
    { type: S, antennaStopCondition: { type: 'DURATION', value: 0 } },
    'antennaStopCondition.value: 0 is not an integer of 1 to 86400000',
  ],
  [
    { type: S, antennaStopCondition: { type: 'INVENTORY_COUNT', value: 65536 } },
    'antennaStopCondition.value: 65536 is not an integer of 1 to 65535',
  ],
  [
    { type: S, antennas: [1], antennaStopCondition: [{ type: 'GPI', value: { port: 1 } }] },
    `antennaStopCondition[0].type: "GPI" is ${UNSUPPORTED}`,
  ],
  [
    { type: S, antennas: [1, 2], antennaStopCondition: [{ type: 'DURATION', value: 5 }] },
    'antennaStopCondition: has 1 entry for 2 antennas',
  ],
  [{ type: S, query: { session: 'S4' } }, 'query.session: "S4" is not one of S0, S1'],
  [{ type: S, query: { session: 4 } }, 'query.session: 4 is not one of'],
  [{ type: S, query: { sel: 'SL' } }, `query.sel: "SL" is ${UNSUPPORTED}`],
  [{ type: S, query: { target: 'C' } }, 'query.target: "C" is not one of A, B, AB'],
  [{ type: S, query: { tagPopulation: 0 } }, 'query.tagPopulation: 0 is below the minimum of 1'],
  [{ type: S, query: { tagpopulation: 0 } }, 'query.tagPopulation: 0 is below the minimum of 1'],
  [
    { type: S, antennas: [1, 2], query: [{}, { sel: 'NOT_SL' }] },
    `query[1].sel: "NOT_SL" is ${UNSUPPORTED}`,
  ],
  [{ type: S, query: [{}] }, 'query: has 1 entry for 4 antennas'],
  [
    { type: 'INVENTORY', reportFilter: everyRead },
    'reportFilter: cannot be set with type INVENTORY',
  ],
  [{ type: S, reportFilter: {} }, 'reportFilter.duration: is required', 'reportFilter.type: is'],
  [{ type: S, reportFilter: { ...everyRead, duration: -1 } }, 'reportFilter.duration: -1 is below'],
  [
    { type: S, reportFilter: { ...everyRead, duration: 4294967296 } },
    'reportFilter.duration: 4294967296 is above the maximum of 4294967295',
  ],
  [
    { type: S, inventorySettings: { interval: { value: 1, unit: 'days' } } },
    'inventorySettings.interval: has no meaning with type SIMPLE',
  ],
  [
    { type: 'INVENTORY', inventorySettings: { interval: { value: 0, unit: 'weeks' } } },
    'inventorySettings.interval.value: 0 is below the minimum of 1',
    'inventorySettings.interval.unit: "weeks" is not one of seconds',
  ],
  [
    { type: 'INVENTORY', modeSpecificSettings: { interval: { value: 60000, unit: 'days' } } },
    'modeSpecificSettings.interval.value: 60000 days is above',
  ],
  [{ type: S, tagMetaData: 'RSSI' }, 'tagMetaData: "RSSI" is not an array'],
  [{ type: S, tagMetaData: ['SPEED'] }, 'tagMetaData[0]: "SPEED" is not one of ANTENNA, RSSI'],
  [{ type: S, tagMetaData: ['RSSI', 'XPC'] }, `tagMetaData[1]: "XPC" is ${UNSUPPORTED}`],
  [{ type: S, tagMetaData: ['EPC[1,3-5]'] }, `tagMetaData[0]: "EPC[1,3-5]" is ${UNSUPPORTED}`],
  [{ type: S, tagMetaData: ['TID'] }, `tagMetaData[0]: "TID" is ${UNSUPPORTED}`],
  [{ type: S, tagMetaData: ['TAGURI'] }, `tagMetaData[0]: "TAGURI" is ${UNSUPPORTED}`],
  [{ type: S, tagMetaData: [7] }, 'tagMetaData[0]: 7 is not a text or an object'],
  [{ type: S, tagMetaData: [{ other: 1 }] }, 'tagMetaData[0]: {"other":1} has neither'],
  [
    { type: S, tagMetaData: [{ antennaPortNames: ['gate'] }] },
    'tagMetaData[0].antennaPortNames: has 1 names for 4 antennas',
  ],
  [{ type: S, radioStopConditions: { duration: 0 } }, 'radioStopConditions.duration: 0 is below'],
  [
    { type: S, radioStopConditions: { tagCount: 5, gpis: [] } },
    `radioStopConditions.tagCount: is ${UNSUPPORTED}`,
    `radioStopConditions.gpis: is ${UNSUPPORTED}`,
  ],
  [
    { type: S, delayBetweenAntennaCycles: { type: 'NO_TAGS', duration: 75 } },
    `delayBetweenAntennaCycles.type: "NO_TAGS" is ${UNSUPPORTED}`,
  ],
  [
    { type: S, delayBetweenAntennaCycles: { type: 'DISABLED', duration: 5 } },
    'delayBetweenAntennaCycles.duration: must be 0',
  ],
  ...[
    'tagIdFilter',
    'filter',
    'select',
    'selects',
    'access',
    'accesses',
    'delayAfterSelects',
    'radioStartConditions',
    'rssiFilter',
    'beams',
    'portalSettings',
    'directionalitySettings',
  ].map((field): [object, string] => [
    { type: S, [field]: { some: 1 } },
    `${field}: is ${UNSUPPORTED}`,
  ]),
];

for (const [mode, ...expected] of wrong) {
  t.test(`${JSON.stringify(mode)} is refused: ${expected.join('; ')}`, async (t) => {
    const result = compileMode(mode, FAKE_CAPABILITIES);
    const found = result.ok ? [] : result.violations.map((v) => `${v.field}: ${v.message}`);
    t.equal(found.length, expected.length, found.join('; '));
    for (const text of expected)
      t.ok(
        found.some((one) => one.startsWith(text)),
        found.join('; '),
      );
  });
}

t.test('modes of public clients are taken', async (t) => {
  const everyPer = { duration: 0, type: 'PER_ANTENNA' };
  const modes = [
    {
      type: 'CUSTOM',
      tagMetaData: ['ANTENNA', 'RSSI', 'SEEN_COUNT'],
      environment: 'AUTO_DETECT',
      reportFilter: everyRead,
    },
    {
      type: 'CUSTOM',
      antennas: [1],
      transmitPower: [25.0],
      query: { session: 'S0', target: 'AB' },
      linkProfile: 2,
      reportFilter: everyPer,
      tagMetaData: ['ANTENNA', 'RSSI', 'CHANNEL', 'PC', 'CRC', 'SEEN_COUNT', 'PHASE'],
    },
    { type: 'CUSTOM', query: { tagpopulation: 100 }, somethingNew: { deep: true } },
  ];
  for (const mode of modes) t.doesNotThrow(() => compile(mode));
});
