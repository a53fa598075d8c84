/**
 * The REST interface: how much of bare Koa it has, and whether reading notices it. Bare Koa has no
 * router, no login, no check of a body, no radio, and no disk.
 */
import type { BenchResult } from '../main.js';
import type { Sample } from '../measure.js';
import { throughput } from './throughput.js';
import { BUSY_PER_SECOND, READS_PER_SECOND, undisturbed } from './undisturbed.js';

type Row = Record<string, string | number>;

export async function rest(): Promise<BenchResult> {
  const beside = await undisturbed();
  const rates = await throughput();
  const at = `p99 from air to subscriber at ${READS_PER_SECOND} reads/s`;
  return {
    bench: 'rest',
    rows: [
      row('GET status', rates.getStatus, rates.koaGet),
      row('PUT mode', rates.putMode, rates.koaPut),
      row('PUT mode, another each time', rates.putOtherMode, rates.koaPut),
      { what: at, p99_ms: rounded(beside.alone) },
      { what: `the same at ${BUSY_PER_SECOND} requests/s`, p99_ms: rounded(beside.busy) },
      {
        what: 'the same at full speed',
        p99_ms: rounded(beside.full),
        per_second: Math.round(beside.fullPerSecond),
      },
    ],
    ratios: {
      get_status_over_koa: rates.getStatus.perSecond / rates.koaGet.perSecond,
      put_mode_over_koa: rates.putMode.perSecond / rates.koaPut.perSecond,
      put_other_mode_over_koa: rates.putOtherMode.perSecond / rates.koaPut.perSecond,
      p99_loaded_over_unloaded: beside.busy / beside.alone,
      p99_full_load_over_unloaded: beside.full / beside.alone,
      dropped: beside.dropped,
      unaccounted: beside.unaccounted,
    },
  };
}

function row(what: string, ours: Sample, koa: Sample): Row {
  return {
    what,
    per_second: Math.round(ours.perSecond),
    cpu_us: rounded(ours.cpuUs),
    koa_per_second: Math.round(koa.perSecond),
    koa_cpu_us: rounded(koa.cpuUs),
  };
}

function rounded(value: number): number {
  return Number(value.toFixed(3));
}
