/** Selects, tag ID filters and the RSSI filter on an emulated module. */
import t from 'tap';
import { epcOf, tagsOf } from '../modes/on-air.js';
import { openBoth, readBoth, refusals, runBoth, sameReports } from './on-module.js';

const select = (more: object = {}) => ({
  target: 'SL',
  action: 'ASSERTSL_DEASSERTSL',
  membank: 'EPC',
  pointer: 32 + 88,
  length: 8,
  mask: '07',
  ...more,
});
const ONE = { type: 'CUSTOM', antennas: [1], query: { session: 'S0', sel: 'SL' } };
// biome-ignore lint/suspicious/noExplicitAny: events as a client sees them
const ids = (events: any[]): string[] => events.map(({ data }) => data.idHex).sort();
const all = Array.from({ length: 10 }, (_, i) => epcOf(i));
const seven = [epcOf(7)];
const others = all.filter((epc) => epc !== epcOf(7));

for (const [name, list, expected] of [
  ['a part of the EPC', [select()], seven],
  ['the opposite of it', [select({ action: 'DEASSERTSL_ASSERTSL' })], others],
  ['a part of the TID', [select({ membank: 'TID', pointer: 88, mask: '07' })], seven],
  ['a part of USER', [select({ membank: 'USER', pointer: 0, length: 16, mask: '0011' })], all],
  ['no bit at all', [select({ length: 0, mask: '' })], all],
  [
    'one or the other',
    [select(), select({ action: 'ASSERTSL_NOTHING', mask: '03' })],
    [epcOf(3), epcOf(7)],
  ],
  [
    'all but two',
    [
      select({ length: 0, mask: '' }),
      select({ action: 'DEASSERTSL_NOTHING' }),
      select({ action: 'DEASSERTSL_NOTHING', mask: '03' }),
    ],
    all.filter((epc) => epc !== epcOf(3) && epc !== epcOf(7)),
  ],
  [
    'an SL that is negated',
    [select(), select({ action: 'NEGATESL_NOTHING', length: 0, mask: '' })],
    others,
  ],
] as const) {
  t.test(`selects by ${name}`, async (t) => {
    const both = await runBoth(t, { ...ONE, selects: list });
    sameReports(t, both);
    t.same(ids(both.module.events), expected);
  });
}

t.test('an array of arrays is a list per antenna', async (t) => {
  const both = await runBoth(t, {
    ...ONE,
    antennas: [1, 2],
    tagMetaData: ['ANTENNA'],
    reportFilter: { duration: 0, type: 'PER_ANTENNA' },
    select: [[select()], [select({ action: 'DEASSERTSL_ASSERTSL' })]],
  });
  sameReports(t, both);
  const of = (port: number) => ids(both.module.events.filter(({ data }) => data.antenna === port));
  t.same(of(1), seven);
  t.same(of(2), others);
});

t.test('INVB_INVA in S3 with target B reads the matching tags, every time', async (t) => {
  const both = await runBoth(
    t,
    {
      type: 'CUSTOM',
      antennas: [1],
      reportFilter: { duration: 0, type: 'PER_ANTENNA' },
      query: { sel: 'ALL', session: 'S3', target: 'B' },
      selects: [select({ target: 'S3', action: 'INVB_INVA' })],
    },
    { cycles: 3 },
  );
  // Before a late host can stop it, a module may read in one round more.
  sameReports(t, both, false);
  t.same([...new Set(ids(both.module.events))], seven);
  t.ok(both.module.events.length >= 3, `${both.module.events.length} reads in 3 rounds`);
});

t.test('delayAfterSelects is taken, and costs its time', async (t) => {
  const radios = await openBoth(t, { tags: tagsOf(1) });
  const mode = { ...ONE, selects: [select({ mask: '00' })], delayAfterSelects: 65 };
  const both = await readBoth(radios, mode);
  sameReports(t, both);
  t.ok(both.module.status.airTimeNs > 65e6);
});

for (const [name, mode] of [
  ['truncate', { ...ONE, select: [select({ truncate: 32 })] }],
  ['four selects', { ...ONE, selects: [select(), select(), select(), select()] }],
  ['Sel ~SL', { ...ONE, query: { session: 'S0', sel: 'NOT_SL' }, selects: [select()] }],
  ['Sel all after a select on SL', { ...ONE, query: { sel: 'ALL' }, selects: [select()] }],
  ['the bank RESERVED', { ...ONE, selects: [select({ membank: 'RES', length: 4, mask: 'f0' })] }],
] as const) {
  t.test(`${name} is refused by both, with the same field`, async (t) => {
    const { simulated, module } = await refusals(t, mode);
    t.ok(module.length > 0);
    t.same(module, simulated);
    t.comment(module.join(', '));
  });
}

t.test('a prefix is selected on the air: other tags stay silent', async (t) => {
  const both = await runBoth(t, {
    type: 'SIMPLE',
    antennas: [1],
    tagIdFilter: { match: 'prefix', value: epcOf(3) },
  });
  sameReports(t, both);
  t.same(ids(both.module.events), [epcOf(3)]);
  t.equal(both.module.status.reads, 1);
});

t.test('an excluded prefix leaves out its tags', async (t) => {
  const both = await runBoth(t, {
    type: 'SIMPLE',
    antennas: [1],
    filter: { match: 'prefix', value: epcOf(3), operation: 'exclude' },
  });
  sameReports(t, both);
  t.equal(both.module.events.length, 9);
  t.notOk(ids(both.module.events).includes(epcOf(3)));
});

t.test('a prefix longer than a mask', async (t) => {
  const long = (last: string) => `30${'ab'.repeat(32)}${last}`.padEnd(72, '0');
  const both = await runBoth(
    t,
    { type: 'SIMPLE', antennas: [1], tagIdFilter: { match: 'prefix', value: long('02') } },
    {
      tags: ['01', '02', '03'].map((last) => ({ epc: long(last) })),
      field: { models: [{ name: 'long', epcWords: 20 }] },
    },
  );
  sameReports(t, both);
  t.same(ids(both.module.events), [long('02')]);
});

for (const [name, filter, expected] of [
  ['a suffix', { match: 'suffix', value: '0003' }, 1],
  ['an excluded suffix', { match: 'suffix', value: '0003', operation: 'exclude' }, 11],
  ['a suffix in capitals', { match: 'suffix', value: epcOf(11).toUpperCase() }, 1],
  ['a regular expression', { match: 'regex', value: '^3034.*0[2-4]$' }, 3],
  ['an excluded expression', { match: 'regex', value: '0[2-4]$', operation: 'exclude' }, 9],
] as const) {
  t.test(`${name} is filtered before the reports, and counted`, async (t) => {
    const both = await runBoth(
      t,
      { type: 'SIMPLE', antennas: [1], tagIdFilter: filter },
      { tags: tagsOf(12) },
    );
    sameReports(t, both);
    t.equal(both.module.events.length, expected);
    t.equal(both.module.status.reads, 12, 'the radio read them all');
    t.equal(both.module.rules.counters.idFiltered, 12 - expected);
  });
}

t.test('tags below the RSSI threshold are not reported', async (t) => {
  const near = tagsOf(5);
  const far = tagsOf(10)
    .slice(5)
    .map((tag) => ({ ...tag, offset: [4, 0, 0] as [number, number, number] }));
  const run = {
    tags: [...near, ...far],
    ports: [1],
    facts: { readerModel: 'fixed-8-rssi' },
  };
  const mode = {
    type: 'SIMPLE',
    antennas: [1],
    query: { session: 'S0' },
    tagMetaData: ['RSSI'],
  };
  const radios = await openBoth(t, run);
  const whole = await readBoth(radios, mode, run);
  t.equal(whole.module.events.length, 10);
  const levels = whole.module.events.map(({ data }) => data.peakRssi).sort((a, b) => a - b);
  const threshold = Math.round(((levels[4] as number) + (levels[5] as number)) / 2);
  const some = await readBoth(radios, { ...mode, rssiFilter: { threshold } }, run);
  sameReports(t, some);
  t.same(
    ids(some.module.events),
    near.map(({ epc }) => epc),
  );
  t.ok(some.module.status.tooWeak >= 5, `${some.module.status.tooWeak} were too weak`);
});
