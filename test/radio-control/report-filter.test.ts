import t from 'tap';
import { RECORD } from '../../src/radio-control/record.js';
import {
  type FilterKind,
  ReportFilter,
  type ReportFilterSettings,
} from '../../src/radio-control/reports/report-filter.js';
import { atMs, makeRecord } from './make-record.js';

const A = '3034257bf400b7800004cb2f';
const B = '3034257bf400b7800004cb30';

interface Report {
  epc: string;
  antenna: number;
  seen: number;
  peak: number;
}

function filterWith(kind: FilterKind, settings: Partial<ReportFilterSettings> = {}, max?: number) {
  const reports: Report[] = [];
  const filter = new ReportFilter(
    { kind, scope: 'radio_wide', periodMs: 0, ...settings },
    (record, offset, seen, peak) =>
      reports.push({
        epc: record.toString(
          'hex',
          offset + RECORD.epc,
          offset + RECORD.epc + (record[offset + RECORD.epcBytes] as number),
        ),
        antenna: record[offset + RECORD.antenna] as number,
        seen,
        peak,
      }),
    max,
  );
  const read = (ms: number, epc: string, antenna = 1, rssiCdbm = -5000) =>
    filter.take(makeRecord({ timeNs: atMs(ms), epc, antenna, rssiCdbm }), 0);
  return { filter, reports, read };
}

t.test('EVERY_READ reports every read with a count of one and its own RSSI', async (t) => {
  const { filter, reports, read } = filterWith('every_read');
  read(0, A, 1, -5000);
  read(1, A, 2, -4000);
  t.strictSame(reports, [
    { epc: A, antenna: 1, seen: 1, peak: -5000 },
    { epc: A, antenna: 2, seen: 1, peak: -4000 },
  ]);
  t.match(filter.counters, { taken: 2, reported: 2, filtered: 0, uniqueTags: 1 });
});

t.test('ONCE reports a tag when first seen and never again', async (t) => {
  const { filter, reports, read } = filterWith('once');
  for (let i = 0; i < 5; i++) read(i * 1e6, A, 1 + (i % 2));
  read(9e6, B);
  t.strictSame(
    reports.map(({ epc }) => epc),
    [A, B],
  );
  t.match(filter.counters, { taken: 6, reported: 2, filtered: 4, uniqueTags: 2 });
});

t.test('ONCE per antenna reports a tag once on each antenna', async (t) => {
  const { filter, reports, read } = filterWith('once', { scope: 'per_antenna' });
  for (const antenna of [1, 2, 1, 2, 3]) read(0, A, antenna);
  t.strictSame(
    reports.map(({ antenna }) => antenna),
    [1, 2, 3],
  );
  t.equal(filter.counters.uniqueTags, 1, 'one tag, whatever the antennas');
});

t.test('PERIODIC reports again only after the period since the last report', async (t) => {
  const { filter, reports, read } = filterWith('periodic', { periodMs: 1000 });
  read(0, A, 1, -5000);
  read(500, A, 1, -3000);
  read(999, A, 1, -6000);
  read(1000, A, 1, -5500);
  read(1999, A);
  t.strictSame(reports, [
    { epc: A, antenna: 1, seen: 1, peak: -5000 },
    { epc: A, antenna: 1, seen: 3, peak: -3000 },
  ]);
  t.match(filter.counters, { taken: 5, reported: 2, filtered: 2 }, 'and one waits');
});

t.test(
  'PERIODIC reports at the end what came since the last report of each tag, once',
  async (t) => {
    const { filter, reports, read } = filterWith('periodic', { periodMs: 1000 });
    read(0, A, 1, -5000);
    read(1, B, 1, -5100);
    read(400, A, 1, -3000);
    read(500, A, 2, -6000);
    filter.end();
    filter.end();
    t.strictSame(reports, [
      { epc: A, antenna: 1, seen: 1, peak: -5000 },
      { epc: B, antenna: 1, seen: 1, peak: -5100 },
      { epc: A, antenna: 2, seen: 2, peak: -3000 },
    ]);
    t.match(filter.counters, { taken: 4, reported: 3, filtered: 1 });
    read(600, A, 1, -7000);
    t.equal(reports.length, 3, 'the second since its report is not over');
    read(1000, A, 1, -8000);
    t.strictSame(reports[3], { epc: A, antenna: 1, seen: 2, peak: -7000 });
    filter.end();
    t.equal(reports.length, 4, 'nothing is left');
  },
);

t.test('what waits is reported before the reads of another plan or period', async (t) => {
  for (const kind of ['periodic', 'interval'] as const) {
    const { filter, reports, read } = filterWith(kind, { periodMs: 1000 });
    const counted = () => reports.reduce((sum, { seen }) => sum + seen, 0);
    for (let i = 0; i < 5; i++) read(i, A);
    filter.change({ kind, scope: 'radio_wide', periodMs: 1000 });
    t.equal(counted(), 5, `${kind}: the same filter of another plan`);
    for (let i = 5; i < 9; i++) read(i, A);
    filter.newPeriod();
    t.equal(counted(), 9, `${kind}: another period`);
    for (let i = 9; i < 11; i++) read(i, A);
    filter.change({ kind: 'once', scope: 'radio_wide', periodMs: 0 });
    t.equal(counted(), 11, `${kind}: another filter`);
  }
});

t.test('reports that wait are bounded: with no room for one more they come early', async (t) => {
  for (const kind of ['periodic', 'interval'] as const) {
    const settings = { scope: 'per_antenna', periodMs: 1e6 } as const;
    const { filter, reports, read } = filterWith(kind, settings, 4);
    const pass = (from: number) => {
      for (let antenna = 1; antenna <= 9; antenna++) read(from + antenna, A, antenna);
    };
    pass(0);
    pass(10);
    pass(20);
    const before = reports.length;
    t.ok(before >= 8, `${kind}: ${before} early`);
    filter.end();
    t.ok(reports.length - before <= 4, `${kind}: no more than there is room for waited`);
    t.equal(
      reports.reduce((sum, { seen }) => sum + seen, 0),
      27,
      `${kind}: every read is in a count`,
    );
    const { reported, filtered } = filter.counters;
    t.equal(reported + filtered, 27);
  }
});

t.test('INTERVAL reports each tag at the end of each period with count and peak', async (t) => {
  const { filter, reports, read } = filterWith('interval', {
    scope: 'per_antenna',
    periodMs: 1000,
  });
  read(0, A, 1, -5000);
  read(100, A, 1, -4500);
  read(200, B, 1);
  read(300, A, 2);
  t.strictSame(reports, [], 'nothing before the period ends');
  read(1000, B, 1);
  t.strictSame(reports, [
    { epc: A, antenna: 1, seen: 2, peak: -4500 },
    { epc: B, antenna: 1, seen: 1, peak: -5000 },
    { epc: A, antenna: 2, seen: 1, peak: -5000 },
  ]);
  filter.end();
  t.equal(reports.length, 4, 'the end reports what still waited');
  t.match(filter.counters, { taken: 5, reported: 4, filtered: 1 });
});

t.test('INTERVAL ends a period by the clock when no read follows', async (t) => {
  const { filter, reports, read } = filterWith('interval', { periodMs: 1000 });
  read(0, A);
  t.equal(filter.flushDueMs, Number(atMs(1000)) / 1e6);
  filter.flushUntil(Number(atMs(999)) / 1e6);
  t.equal(reports.length, 0);
  filter.flushUntil(Number(atMs(1000)) / 1e6);
  t.equal(reports.length, 1);
  t.equal(filter.flushDueMs, undefined);
});

t.test('INTERVAL keeps its grid of periods after a silence', async (t) => {
  const { reports, read } = filterWith('interval', { periodMs: 1000 });
  read(0, A);
  read(5300, A);
  t.equal(reports.length, 1);
  read(5999, A);
  t.equal(reports.length, 1, '5300 and 5999 lie in one period');
  read(6000, A);
  t.equal(reports.length, 2);
});

t.test('every read is reported, filtered or waiting, whatever the order', async (t) => {
  for (const kind of ['every_read', 'once', 'periodic', 'interval'] as const) {
    const { filter, read } = filterWith(kind, { periodMs: 50, scope: 'per_antenna' });
    for (let i = 0; i < 5000; i++) read(i * 7, i % 3 === 0 ? A : B, 1 + (i % 4));
    filter.end();
    const { taken, reported, filtered } = filter.counters;
    t.equal(taken, 5000, kind);
    t.equal(reported + filtered, taken, kind);
  }
});

t.test(
  'its memory is bounded: past the limit the oldest tag is forgotten and counted',
  async (t) => {
    const { filter, reports, read } = filterWith('once', {}, 2);
    read(0, A);
    read(1, B);
    read(2, '3034257bf400b7800004cb31');
    t.equal(filter.counters.forgottenTags, 1);
    read(3, A);
    t.equal(reports.length, 4, 'the forgotten tag is reported again');
  },
);
