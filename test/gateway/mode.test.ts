/** Operating mode to InventoryPlan, and every way to be wrong. */
import t from 'tap';
import { CycleDelay, ReportFilter, Session, Target } from '../../src/contract/messages.js';
import { type CompiledMode, compileMode } from '../../src/reader-gateway/mode/compile.js';
import { FAKE_CAPABILITIES } from './fake-radio.js';

const { Kind, Scope } = ReportFilter;

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
      beam: 0,
      transmitPowerCdbm: 2700,
      query: { session: Session.SESSION_S1, target: Target.TARGET_A, tagPopulation: 1, sel: 0 },
      dwell: { rounds: 1, durationMs: 250 },
      selects: [],
      access: [],
    })),
    linkProfile: 'M4-250',
    reportFilter: { kind: Kind.ONCE, scope: Scope.RADIO_WIDE, periodMs: 0 },
    delayAfterSelectsUs: 0,
    cycleDelay: { kind: CycleDelay.Kind.NO_TAGS, durationMs: 75 },
    memory: [],
  });
  t.same(mode, { type: 'SIMPLE' });
});

const S = 'SIMPLE';
const everyRead = { duration: 0, type: 'RADIO_WIDE' };
const filters: [string, object, object][] = [
  ['SIMPLE reports once', { type: S }, [Kind.ONCE, Scope.RADIO_WIDE, 0]],
  ['CUSTOM is like SIMPLE', { type: 'CUSTOM' }, [Kind.ONCE, Scope.RADIO_WIDE, 0]],
  ['CONVEYOR reports once per antenna', { type: 'CONVEYOR' }, [Kind.ONCE, Scope.PER_ANTENNA, 0]],
  ['PORTAL reports once per antenna', { type: 'PORTAL' }, [Kind.ONCE, Scope.PER_ANTENNA, 0]],
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
      beam: 0,
      transmitPowerCdbm: 3000,
      query: { session: 2, target: Target.TARGET_AB, tagPopulation: 40, sel: 0 },
      dwell: { durationMs: 500 },
      selects: [],
      access: [],
    },
    {
      port: 1,
      beam: 0,
      transmitPowerCdbm: 1025,
      query: { session: 3, target: Target.TARGET_A, tagPopulation: 7, sel: 0 },
      dwell: { rounds: 3 },
      selects: [],
      access: [],
    },
  ]);
  t.match(plan.stop, { durationMs: 1500, cycles: 9, tagCount: 0, noNewTagsMs: 0 });
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
    { type: 'CUSTOM', query: { tagpopulation: 100 } },
  ];
  for (const mode of modes) t.doesNotThrow(() => compile(mode));
});
