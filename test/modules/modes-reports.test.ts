/** When and how often tags are reported on an emulated module: report filters, sessions, targets. */
import t from 'tap';
import type { Reading } from '../modes/on-air.js';
import { type Both, runBoth, sameReports, sameRssi } from './on-module.js';

const CUSTOM = {
  type: 'CUSTOM',
  antennas: [1, 2],
  query: { session: 'S0' },
  tagMetaData: ['ANTENNA', 'RSSI', 'SEEN_COUNT'],
  delayBetweenAntennaCycles: { type: 'DISABLED', duration: 0 },
};
const each = ({ module, simulated }: Both) => [simulated, module];
const perTag = (events: { data: { idHex: string } }[]) => {
  const counts = new Map<string, number>();
  for (const { data } of events) counts.set(data.idHex, (counts.get(data.idHex) ?? 0) + 1);
  return [...new Set(counts.values())];
};
/** When each tag was reported, on each antenna or wherever; the last time is the end of all. */
const timesOf = (events: Reading['events'], byAntenna: boolean) => {
  const times = new Map<string, number[]>();
  for (const { timestamp, data } of events) {
    const name = byAntenna ? `${data.idHex} ${data.antenna}` : data.idHex;
    times.set(name, [...(times.get(name) ?? []), Date.parse(timestamp)]);
  }
  return [...times.values()];
};

t.test('SIMPLE reports each tag once, however often it is read', async (t) => {
  const both = await runBoth(t, { ...CUSTOM, type: 'SIMPLE' }, { cycles: 5 });
  for (const { events } of each(both)) t.equal(events.length, 10);
  t.ok(both.module.status.reads >= 100);
});

t.test('CONVEYOR reports each tag the first time on each antenna', async (t) => {
  const both = await runBoth(t, { ...CUSTOM, type: 'CONVEYOR' }, { cycles: 5 });
  sameReports(t, both);
  sameRssi(t, both);
  t.equal(both.module.events.length, 20);
});

t.test('duration 0 reports every read, with a count of 1', async (t) => {
  const reportFilter = { duration: 0, type: 'PER_ANTENNA' };
  const both = await runBoth(t, { ...CUSTOM, reportFilter }, { cycles: 5 });
  sameReports(t, both, false);
  sameRssi(t, both);
  for (const { events, status } of each(both)) {
    t.equal(events.length, status.reads);
    t.ok(events.every(({ data }) => data.reads === 1));
  }
});

t.test('a duration holds a tag back for so long, reader-wide or on each antenna', async (t) => {
  for (const [type, often] of [
    ['RADIO_WIDE', 4],
    ['PER_ANTENNA', 8],
  ] as const) {
    const both = await runBoth(
      t,
      { ...CUSTOM, reportFilter: { duration: 1, type } },
      { durationMs: 2500 },
    );
    t.same(perTag(both.simulated.events), [often], `${type}: at 0, 1 and 2 s, and at the end`);
    // The module's time is that of the machine: where that stands still, a tag may miss a second.
    for (const times of timesOf(both.module.events, type === 'PER_ANTENNA')) {
      const gaps = times.slice(1, -1).map((time, i) => time - (times[i] as number));
      t.ok(times.length > 1 && gaps.every((gap) => gap >= 999), `${type}: ${gaps} ms apart`);
    }
    for (const { events, rules, status } of each(both)) {
      t.equal(rules.counters.reported + rules.counters.filtered, status.reads);
      const counted = events.reduce((sum, { data }) => sum + data.reads, 0);
      t.equal(counted, status.reads, 'every read is in a count');
    }
    if (type === 'PER_ANTENNA') sameRssi(t, both);
  }
});

t.test('INVENTORY reports the count and the peak of each interval', async (t) => {
  const mode = {
    ...CUSTOM,
    type: 'INVENTORY',
    inventorySettings: { interval: { value: 1, unit: 'seconds' } },
  };
  const both = await runBoth(t, mode, { durationMs: 1500 });
  sameRssi(t, both);
  t.same(perTag(both.simulated.events), [4], 'two antennas, two intervals');
  t.ok(both.simulated.events.every(({ data }) => data.reads > 1));
  // The module's time is that of the machine: where that stands still, a tag may miss an interval.
  t.ok(perTag(both.module.events).every((count) => count > 0 && count <= 4));
  for (const { events, status } of each(both)) {
    const counted = events.reduce((sum, { data }) => sum + data.reads, 0);
    t.equal(counted, status.reads, 'every read is in a count');
    t.ok(events.every(({ data }) => data.reads > 0 && Number.isInteger(data.peakRssi)));
  }
});

t.test('target AB reads all tags in every round, first A, then B', async (t) => {
  const both = await runBoth(t, {
    type: 'CUSTOM',
    antennas: [1],
    query: { session: 'S2', target: 'AB' },
    antennaStopCondition: { type: 'INVENTORY_COUNT', value: 4 },
    reportFilter: { duration: 0, type: 'RADIO_WIDE' },
  });
  for (const { events, status } of each(both)) {
    t.equal(status.rounds, 4);
    t.same(new Set(events.slice(0, 10).map(({ data }) => data.idHex)).size, 10);
    t.ok(events.length >= 40);
  }
});

t.test('each antenna has its own session and target', async (t) => {
  const both = await runBoth(t, {
    type: 'CUSTOM',
    antennas: [1, 2, 3],
    query: [{ session: 'S2' }, { session: 3, target: 'B' }, { session: 'S0' }],
    tagMetaData: ['ANTENNA'],
    reportFilter: { duration: 0, type: 'RADIO_WIDE' },
  });
  sameReports(t, both);
  t.same([...new Set(both.module.events.map(({ data }) => data.antenna))], [1, 3], 'none has B');
});

t.test('in S2 a tag that was read stays silent, in S0 it answers each time', async (t) => {
  for (const [session, reads] of [
    ['S2', 10],
    ['S0', 30],
  ] as const) {
    const both = await runBoth(
      t,
      {
        type: 'CUSTOM',
        antennas: [1],
        query: { session },
        reportFilter: { duration: 0, type: 'RADIO_WIDE' },
      },
      { cycles: 3 },
    );
    // The module's time is that of the machine: where that stands still, a tag may forget what S2 keeps.
    sameReports(t, both, false);
    if (session === 'S2') t.equal(both.simulated.events.length, reads);
    t.ok(both.module.events.length >= reads, `${both.module.events.length} in ${session}`);
  }
});

t.test('tagPopulation is no limit', async (t) => {
  for (const tagPopulation of [1, 500]) {
    const both = await runBoth(t, { type: 'CUSTOM', antennas: [1], query: { tagPopulation } });
    sameReports(t, both);
    t.equal(both.module.events.length, 10);
  }
});
