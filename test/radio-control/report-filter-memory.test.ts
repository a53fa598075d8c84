/** What the report filter remembers, and for how long. */
import t from 'tap';
import { RECORD, RECORD_BYTES } from '../../src/radio-control/record.js';
import {
  type FilterKind,
  ReportFilter,
  type ReportFilterSettings,
} from '../../src/radio-control/reports/report-filter.js';
import { hashOf } from '../../src/radio-control/reports/tag-table.js';
import { atMs, makeRecord, type ReadFields, START_NS } from './make-record.js';

const START_MS = Number(START_NS / 1_000_000n);
const epc = (i: number) => `30340000${i.toString(16).padStart(16, '0')}`;

interface Report {
  epc: string;
  seen: number;
  peak: number;
  more: number;
}

function filterOf(
  settings: Partial<ReportFilterSettings> & { kind: FilterKind },
  maxTags?: number,
) {
  const reports: Report[] = [];
  const filter = new ReportFilter(
    { scope: 'radio_wide', periodMs: 0, ...settings },
    (record, offset, seen, peak) => {
      const start = offset + RECORD.epc;
      reports.push({
        epc: record.toString('hex', start, start + (record[offset + RECORD.epcBytes] as number)),
        seen,
        peak,
        more: record[offset + RECORD_BYTES] ?? 0,
      });
    },
    ...(maxTags === undefined ? [] : [maxTags]),
  );
  const read = (fields: ReadFields) => filter.take(makeRecord(fields), 0);
  return { filter, reports, read };
}

t.test('a hundred thousand tags are told apart, and each is reported once', async (t) => {
  const { filter, reports, read } = filterOf({ kind: 'once' });
  for (let pass = 0; pass < 2; pass++) {
    for (let i = 0; i < 100_000; i++) read({ epc: epc(i) });
  }
  t.equal(reports.length, 100_000);
  t.equal(new Set(reports.map((report) => report.epc)).size, 100_000);
  t.match(filter.counters, { taken: 200_000, filtered: 100_000, uniqueTags: 100_000 });
  t.ok(filter.memoryBytes < 12e6, `${filter.memoryBytes} bytes`);
});

t.test('tags whose hashes are the same are two tags', async (t) => {
  // Found by trying: two EPCs with the same hash of 32 bits.
  const seen = new Map<number, string>();
  let pair: [string, string] | undefined;
  const bytes = Buffer.alloc(12, 0x30);
  let random = 1n;
  for (let i = 0; pair === undefined && i < 500_000; i++) {
    random = BigInt.asUintN(64, random * 6364136223846793005n + 1442695040888963407n);
    bytes.writeBigUInt64BE(random, 4);
    const hash = hashOf(bytes, 0, bytes.length);
    const before = seen.get(hash);
    if (before !== undefined) pair = [before, bytes.toString('hex')];
    seen.set(hash, bytes.toString('hex'));
  }
  const [one, other] = pair as [string, string];
  const { reports, read } = filterOf({ kind: 'once' });
  for (const id of [one, other, one, other]) read({ epc: id });
  t.same(
    reports.map((report) => report.epc),
    [one, other],
  );
});

t.test('EPCs of any length are keys: none is the beginning of another', async (t) => {
  const { reports, read } = filterOf({ kind: 'once' });
  const ids = ['', '3034', '303400', `3034${'00'.repeat(30)}`, `3034${'00'.repeat(60)}`];
  for (let pass = 0; pass < 3; pass++) {
    for (const id of ids) read({ epc: id });
    // Longer ones make the memory wider; the others must survive that.
  }
  t.same(
    reports.map((report) => report.epc),
    ids,
  );
});

t.test('past the bound the tags that were longest unseen are forgotten, and counted', async (t) => {
  const { filter, reports, read } = filterOf({ kind: 'once' }, 1000);
  for (let i = 0; i < 10_000; i++) {
    read({ epc: epc(i) });
    read({ epc: epc(0) });
  }
  t.equal(reports.length, 10_000, 'the one that is always there is never forgotten');
  const { uniqueTags, forgottenTags } = filter.counters;
  t.equal(uniqueTags, 10_000);
  t.ok(forgottenTags >= 9_000 && forgottenTags < 10_000, `${forgottenTags} forgotten`);
  read({ epc: epc(9_999) });
  t.equal(reports.length, 10_000, 'the last ones are remembered');
  read({ epc: epc(1) });
  t.equal(reports.length, 10_001, 'one of long ago is reported again');
  t.ok(filter.memoryBytes < 1e6);
});

t.test('a million tags a day stay within the memory of a million', async (t) => {
  const { filter, read } = filterOf({ kind: 'periodic', scope: 'per_antenna', periodMs: 1000 });
  const record = makeRecord({ epc: epc(0) });
  for (let i = 0; i < 1_600_000; i++) {
    record.writeUInt32BE(i, RECORD.epc + 8);
    filter.take(record, 0);
  }
  read({ epc: epc(0) });
  t.ok(filter.memoryBytes < 150e6, `${filter.memoryBytes} bytes`);
  t.ok(filter.counters.forgottenTags > 0);
});

t.test('each antenna and each beam has a memory of its own', async (t) => {
  const { filter, reports, read } = filterOf({ kind: 'once', scope: 'per_antenna' });
  for (const place of [
    { antenna: 1 },
    { antenna: 2 },
    { antenna: 1, beam: 1 },
    { antenna: 1, beam: 300 },
  ]) {
    read({ epc: epc(1), ...place });
    read({ epc: epc(1), ...place });
  }
  t.equal(reports.length, 4);
  t.equal(filter.counters.uniqueTags, 1);
  t.same(
    filter.explain(Buffer.from(epc(1), 'hex')).map(({ port, beam, reads }) => [port, beam, reads]),
    [
      [1, 0, 1],
      [2, 0, 1],
      [1, 1, 1],
      [1, 300, 1],
    ],
  );
});

t.test('a new period reports every tag afresh; the counters go on', async (t) => {
  const { filter, reports, read } = filterOf({ kind: 'once' });
  read({ epc: epc(1) });
  read({ epc: epc(1) });
  filter.newPeriod();
  read({ epc: epc(1) });
  t.equal(reports.length, 2);
  t.match(filter.counters, { taken: 3, reported: 2, filtered: 1, forgottenTags: 0 });
});

t.test('the same filter of another plan remembers, another one begins afresh', async (t) => {
  const { filter, reports, read } = filterOf({ kind: 'once' });
  read({ epc: epc(1) });
  filter.change({ kind: 'once', scope: 'radio_wide', periodMs: 0 });
  read({ epc: epc(1) });
  t.equal(reports.length, 1);
  filter.change({ kind: 'interval', scope: 'radio_wide', periodMs: 1000 });
  read({ epc: epc(1), rssiCdbm: -6000 });
  read({ epc: epc(1), rssiCdbm: -5000 });
  filter.change({ kind: 'every_read', scope: 'radio_wide', periodMs: 0 });
  t.match(reports[1], { seen: 2, peak: -5000 }, 'what waited is reported at the change');
  read({ epc: epc(1) });
  t.equal(reports.length, 3);
});

t.test('a continuation stays with its record until the end of the interval', async (t) => {
  const { filter, reports, read } = filterOf({ kind: 'interval', periodMs: 1000 });
  read({ epc: epc(1), timeNs: atMs(0), more: { count: 2, fill: 0xaa } });
  read({ epc: epc(2), timeNs: atMs(1) });
  read({ epc: epc(1), timeNs: atMs(2), more: { count: 1, fill: 0xbb } });
  filter.flushUntil(START_MS + 1000);
  t.match(reports, [
    { epc: epc(1), seen: 2, more: 0xbb },
    { epc: epc(2), seen: 1 },
  ]);
  read({ epc: epc(1), timeNs: atMs(1500) });
  filter.end();
  t.equal(reports.length, 3);
});

t.test('explain says why a tag is held back, and until when', async (t) => {
  const { filter, read } = filterOf({ kind: 'periodic', periodMs: 5000 });
  const ask = () => filter.explain(Buffer.from(epc(1), 'hex'));
  t.same(ask(), []);
  read({ epc: epc(1), timeNs: atMs(0) });
  read({ epc: epc(1), timeNs: atMs(10) });
  read({ epc: epc(1), timeNs: atMs(20) });
  t.same(ask(), [
    { port: 0, beam: 0, reads: 2, reportedMs: START_MS, nextReportMs: START_MS + 5000 },
  ]);
});
