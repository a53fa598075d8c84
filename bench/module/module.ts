/**
 * The driver of radio modules, on an emulated M7e behind a pseudo-terminal: the parser, how much of
 * a serial line it uses, how long commands take beside a busy main thread, and what a radio-control
 * that reads 1,300 tags a second costs. The shares are of the line and of one processor.
 */
import { loadavg } from 'node:os';
import type { BenchResult } from '../main.js';
import { median } from '../measure.js';
import { commandLatency } from './latency.js';
import {
  antennas,
  instructionsPerRecord,
  parserRecordsPerSecond,
  type StreamRow,
  stream,
} from './native-side.js';
import { service } from './service.js';

const PARSER_RECORDS = 5_000_000;
const PARSER_ROUNDS = 5;
const STREAM_SECONDS = 5;
const STREAM_ROUNDS = 3;
const SERVICE_SECONDS = 15;
/** That a reader is built for. */
const READS_PER_SECOND = 1300;
const BITS_OF_BYTE = 10;

export async function module(): Promise<BenchResult> {
  const rows: BenchResult['rows'] = [{ what: 'load average at the start', load: load() }];
  const perSecond = median(
    await repeated(PARSER_ROUNDS, () => parserRecordsPerSecond(PARSER_RECORDS)),
  );
  const instructions = await instructionsPerRecord();
  rows.push({
    what:
      instructions === undefined
        ? 'parser (no perf or valgrind counts instructions here)'
        : 'parser',
    records_per_second: Math.round(perSecond),
    ...(instructions === undefined ? {} : { instructions_per_record: Math.round(instructions) }),
  });

  const share: Record<number, number> = {};
  let lost = 0;
  for (const baud of [115_200, 921_600, 0]) {
    const runs = await repeated(STREAM_ROUNDS, () => stream(baud, STREAM_SECONDS));
    const of = (value: (run: StreamRow) => number) => median(runs.map(value));
    const gone = runs.reduce((sum, { records, reads }) => sum + records - reads, 0);
    const bytes = baud / BITS_OF_BYTE;
    share[baud] = of((run) => (run.reads_per_second * run.frame_bytes) / bytes);
    lost += gone;
    rows.push({
      what: baud === 0 ? 'the pseudo-terminal itself' : `a line of ${baud} baud`,
      reads_per_second: round(
        of((run) => run.reads_per_second),
        1,
      ),
      cpu_us_per_read: round(
        of((run) => run.cpu_us_per_read),
        2,
      ),
      ...(baud === 0
        ? {}
        : {
            share_of_ceiling: round(share[baud], 4),
            share_of_bytes: round(of((run) => run.bytes_per_second) / bytes, 4),
          }),
      lost: gone,
    });
  }

  const visits = await repeated(STREAM_ROUNDS, () => antennas(STREAM_SECONDS));
  const antennaShare = median(visits.map((run) => run.reads_per_second / run.alone_per_second));
  for (const { reads_per_second, alone_per_second, complaint } of visits) {
    rows.push({
      what: `four ports, ${complaint}`,
      reads_per_second,
      module_alone_per_second: alone_per_second,
    });
  }

  const { idle, busy, serialportBusy } = await commandLatency();
  for (const [name, { p50, p99 }] of [
    ['main thread idle', idle],
    ['main thread busy', busy],
    ['main thread busy, serialport package', serialportBusy],
  ] as const) {
    rows.push({
      what: `five commands, ${name}`,
      p50_ms: round(p50, 3),
      p99_ms: round(p99, 3),
    });
  }

  const run = await service(SERVICE_SECONDS);
  rows.push({
    what: 'radio-control with a subscriber',
    reads_per_second: round(run.readsPerSecond, 1),
    cpu_us_per_read: round(run.cpuUsPerRead, 2),
    cpu_share: round(run.cpuShare, 4),
    lost: run.lost,
  });
  rows.push({ what: 'load average at the end', load: load() });
  return {
    bench: 'module',
    rows,
    ratios: {
      parser_records_per_second: perSecond,
      ...(instructions === undefined ? {} : { parser_instructions_per_record: instructions }),
      link_share_115200: share[115_200] as number,
      link_share_921600: share[921_600] as number,
      antenna_share_of_module: antennaShare,
      // The rate is the field's; what a read costs holds for 1,300 of them.
      cpu_share_1300: (run.cpuUsPerRead * READS_PER_SECOND) / 1e6,
      command_p99_busy_over_idle: busy.p99 / idle.p99,
      command_p99_over_serialport: busy.p99 / serialportBusy.p99,
      lost: lost + run.lost,
    },
  };
}

async function repeated<Value>(times: number, measure: () => Promise<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for (let i = 0; i < times; i++) values.push(await measure());
  return values;
}

function load(): number {
  return round(loadavg()[0] as number, 2);
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
