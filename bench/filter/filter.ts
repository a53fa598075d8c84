/**
 * How many reads a second the report filter takes on one core, with a few tags and with very many,
 * and what it remembers them in.
 */
import { RECORD, RECORD_BYTES } from '../../src/radio-control/record.js';
import { type FilterKind, ReportFilter } from '../../src/radio-control/reports/report-filter.js';
import type { BenchResult } from '../main.js';
import { inTurns, measure } from '../measure.js';

const READS = 500_000;
const ROUNDS = 5;
const FEW = 100;
const MANY = 100_000;
/** In a bench as in a drain: records come in batches. */
const BATCH = 1024;
const KINDS: { kind: FilterKind; periodMs: number }[] = [
  { kind: 'every_read', periodMs: 0 },
  { kind: 'once', periodMs: 0 },
  { kind: 'periodic', periodMs: 1000 },
  { kind: 'interval', periodMs: 1000 },
];

/** Records of that many tags, in an order that no cache can foresee; each tag equally often. */
function records(tags: number): Buffer {
  const all = Buffer.alloc(Math.max(tags, BATCH) * RECORD_BYTES);
  const count = all.length / RECORD_BYTES;
  // A step that has no divisor in common with the number of tags visits all of them.
  const step = tags > 7919 ? 7919 : 1;
  for (let i = 0; i < count; i++) {
    const tag = (i * step) % tags;
    const at = i * RECORD_BYTES;
    all.writeInt16LE(-4000 - (i % 3000), at + RECORD.rssiCdbm);
    all[at + RECORD.antenna] = 1 + (i % 4);
    all[at + RECORD.epcBytes] = 12;
    all.write('3034257bf400b780', at + RECORD.epc, 'hex');
    all.writeUInt32BE(tag, at + RECORD.epc + 8);
  }
  return all;
}

/** Reads of 10 us apart, again and again over the records. */
function run(filter: ReportFilter, prepared: Buffer, clock: { ns: bigint }): void {
  const count = prepared.length / RECORD_BYTES;
  for (let done = 0; done < READS; done++) {
    const at = (done % count) * RECORD_BYTES;
    prepared.writeBigUInt64LE(clock.ns, at);
    clock.ns += 10_000n;
    filter.take(prepared, at);
  }
}

export async function filter(): Promise<BenchResult> {
  const rows: BenchResult['rows'] = [];
  const ratios: Record<string, number> = {};
  let reports = 0;
  const prepared = new Map([FEW, MANY].map((tags) => [tags, records(tags)]));
  for (const { kind, periodMs } of KINDS) {
    const make = (tags: number) => ({
      filter: new ReportFilter({ kind, scope: 'per_antenna', periodMs }, () => reports++),
      clock: { ns: 1_767_225_600_000_000_000n },
      records: prepared.get(tags) as Buffer,
    });
    const few = make(FEW);
    const many = make(MANY);
    const turn = (side: typeof few) => () =>
      measure(READS, () => run(side.filter, side.records, side.clock));
    const result = await inTurns(ROUNDS, { few: turn(few), many: turn(many) });
    rows.push({
      filter: kind,
      reads_per_second_100: Math.round(result.few.perSecond),
      reads_per_second_100000: Math.round(result.many.perSecond),
      bytes_100: few.filter.memoryBytes,
      bytes_100000: many.filter.memoryBytes,
      bytes_per_tag: Math.round(many.filter.memoryBytes / MANY),
    });
    ratios[`${kind}_many_over_few`] = result.many.perSecond / result.few.perSecond;
  }
  if (reports === 0) throw new Error('nothing was reported');
  const slowest = Math.min(...rows.map((row) => Number(row.reads_per_second_100000)));
  return {
    bench: 'filter',
    rows,
    ratios: { ...ratios, slowest_over_500000_reads_per_second: slowest / 500_000 },
  };
}
