/** What native/bench/module_bench.cpp measures: the parser, and the driver on a line that is full. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';

const PROGRAM = join(PACKAGE_ROOT, 'out/host/singulate_module_bench');
const run = promisify(execFile);

export async function parserRecordsPerSecond(records: number): Promise<number> {
  const { stdout } = await run(PROGRAM, ['parser', String(records)]);
  return (JSON.parse(stdout) as { per_second: number }).per_second;
}

/** A line of the table; the emulated module's field is faster than the line. */
export interface StreamRow {
  reads_per_second: number;
  bytes_per_second: number;
  /** Of a read on the wire. */
  frame_bytes: number;
  cpu_us_per_read: number;
  /** That the module sent, and that arrived. */
  records: number;
  reads: number;
  discarded_bytes: number;
}

/** @param baud 0: as fast as the pseudo-terminal goes. */
export async function stream(baud: number, seconds: number): Promise<StreamRow> {
  const { stdout } = await run(PROGRAM, ['stream', String(baud), String(seconds)]);
  return JSON.parse(stdout) as StreamRow;
}

/** Four antenna ports of which two are empty, a line of 921600 baud, carriers that take their time. */
export interface AntennaRow {
  reads_per_second: number;
  /** Of the module's own list of the two antennas, without a reader. */
  alone_per_second: number;
  complaint: string;
}

export async function antennas(seconds: number): Promise<AntennaRow> {
  const { stdout } = await run(PROGRAM, ['antennas', String(seconds)]);
  return JSON.parse(stdout) as AntennaRow;
}

const FEW_RECORDS = 20_000;
const MANY_RECORDS = 120_000;

/** Instructions of the processor for a record; undefined where nothing counts them. */
export async function instructionsPerRecord(): Promise<number | undefined> {
  for (const count of [countWithPerf, countWithValgrind]) {
    const few = await count(FEW_RECORDS);
    const many = await count(MANY_RECORDS);
    if (few === undefined || many === undefined) continue;
    return (many - few) / (MANY_RECORDS - FEW_RECORDS);
  }
  return undefined;
}

function countWithPerf(records: number): Promise<number | undefined> {
  const args = ['stat', '-x', ',', '-e', 'instructions:u', PROGRAM, 'parser', String(records)];
  return counted('perf', args, /^(\d+),[^,]*,instructions/m);
}

function countWithValgrind(records: number): Promise<number | undefined> {
  const tool = ['--tool=callgrind', '--callgrind-out-file=/dev/null'];
  return counted('valgrind', [...tool, PROGRAM, 'parser', String(records)], /Collected : (\d+)/);
}

/** The number that a tool prints beside the output of the program; undefined without the tool. */
async function counted(tool: string, args: string[], form: RegExp): Promise<number | undefined> {
  try {
    const found = form.exec((await run(tool, args)).stderr);
    return found === null ? undefined : Number(found[1]);
  } catch {
    return undefined;
  }
}
