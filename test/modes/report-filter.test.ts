/** When tags are reported, on the air clock. */
import t from 'tap';
import { loadAddon } from '../../src/radio-control/addon/addon.js';
import { compileMode } from '../../src/reader-gateway/mode/compile.js';
import { factsOf, options, runMode } from './on-air.js';

const CUSTOM = {
  type: 'CUSTOM',
  antennas: [1, 2],
  query: { session: 'S0' },
  tagMetaData: ['ANTENNA', 'RSSI', 'SEEN_COUNT'],
  delayBetweenAntennaCycles: { type: 'DISABLED', duration: 0 },
};
const perTag = (events: { data: { idHex: string } }[]) => {
  const counts = new Map<string, number>();
  for (const { data } of events) counts.set(data.idHex, (counts.get(data.idHex) ?? 0) + 1);
  return [...new Set(counts.values())];
};

t.test('SIMPLE reports each tag once, however often it is read', async (t) => {
  const { events, status } = await runMode({ ...CUSTOM, type: 'SIMPLE' }, { cycles: 5 });
  t.equal(status.reads, 100);
  t.equal(events.length, 10);
});

t.test('CONVEYOR reports each tag the first time on each antenna', async (t) => {
  const { events } = await runMode({ ...CUSTOM, type: 'CONVEYOR' }, { cycles: 5 });
  t.equal(events.length, 20);
  t.same(new Set(events.map(({ data }) => data.antenna)), new Set([1, 2]));
});

t.test('duration 0 reports every read, with a count of 1', async (t) => {
  const reportFilter = { duration: 0, type: 'PER_ANTENNA' };
  const { events } = await runMode({ ...CUSTOM, reportFilter }, { cycles: 5 });
  t.equal(events.length, 100);
  t.ok(events.every(({ data }) => data.reads === 1));
});

t.test('a duration holds a tag back for so long, reader-wide or on each antenna', async (t) => {
  const run = async (type: string) =>
    await runMode({ ...CUSTOM, reportFilter: { duration: 1, type } }, { durationMs: 3500 });
  const wide = await run('RADIO_WIDE');
  t.same(perTag(wide.events), [5], 'at 0, 1, 2 and 3 s, and at the end');
  const each = await run('PER_ANTENNA');
  t.same(perTag(each.events), [10]);
  for (const { events, status, rules } of [wide, each]) {
    const counted = events.reduce((sum, { data }) => sum + data.reads, 0);
    t.equal(counted, status.reads, 'every read is in a count');
    const { reported, filtered } = rules.counters;
    t.equal(reported + filtered, status.reads, 'each read is accounted for');
  }
});

t.test('INVENTORY reports the count and the peak of each interval', async (t) => {
  const mode = {
    ...CUSTOM,
    type: 'INVENTORY',
    inventorySettings: { interval: { value: 1, unit: 'seconds' } },
  };
  const { events, status } = await runMode(mode, { durationMs: 2900 });
  t.same(perTag(events), [6], 'two antennas, three intervals');
  t.equal(
    events.reduce((sum, { data }) => sum + data.reads, 0),
    status.reads,
    'every read is in a count',
  );
  t.ok(events.every(({ data }) => data.reads > 3 && Number.isInteger(data.peakRssi)));
});

t.test('reads of an INVENTORY wait for others up to 100 ms, those of other types do not', (t) => {
  const facts = factsOf({}, new (loadAddon().Radio)(options({})));
  const latencyOf = (type: string) => {
    const result = compileMode({ ...CUSTOM, type }, facts);
    return result.ok ? result.value.plan.reportLatencyMs : result.violations;
  };
  t.equal(latencyOf('INVENTORY'), 100);
  for (const type of ['SIMPLE', 'PORTAL', 'CONVEYOR', 'CUSTOM'])
    t.equal(latencyOf(type), undefined, type);
  t.end();
});
