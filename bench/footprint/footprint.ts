/**
 * What the reader needs of its machine: time to the first tag event, memory and processor at the rate
 * that it is built for, disk, and instructions for a read on three kinds of processor.
 */
import { loadavg } from 'node:os';
import type { BenchResult } from '../main.js';
import { type Disk, disk } from './disk.js';
import { type EndToEnd, instructionsEndToEnd } from './end-to-end.js';
import { RATE_TOLERANCE, READS_PER_SECOND } from './field.js';
import {
  EMULATIONS,
  type Instructions,
  instructionsEmulated,
  instructionsHere,
} from './instructions.js';
import { type Machine, machine } from './machine.js';
import { type Memory, sum } from './memory.js';
import { type StartUp, startUp } from './start-up.js';
import { type Steady, steady } from './steady.js';

const TEN_MINUTES = 10;
const STARTS = 9;
const WARM_UP_MS = 10_000;

export interface FootprintOptions {
  minutes?: number | undefined;
  /** Measured ones, after the first. */
  starts?: number;
  /** False: they are not counted. */
  instructions?: boolean;
  /** How far the rate may be from the wanted one, as a part of it. */
  rateTolerance?: number;
}

type Row = BenchResult['rows'][number];

export async function footprint(options: FootprintOptions): Promise<BenchResult> {
  const minutes = options.minutes ?? TEN_MINUTES;
  const loadBefore = load();
  const idle = await machine();
  const { first, again } = await startUp(options.starts ?? STARTS);
  const loadBetween = load();
  const run = await steady(minutes, Math.min(WARM_UP_MS, minutes * 60_000));
  assertRate(run, options.rateTolerance ?? RATE_TOLERANCE);
  const loadAfter = load();
  const sizes = await disk();
  const counted = options.instructions === false ? [] : await countedInstructions();
  const endToEnd = options.instructions === false ? undefined : await instructionsEndToEnd();
  const residentMb = sum(run.end.radio, run.end.gateway).rssMb;
  const share = run.cpuUsPerRead.radio + run.cpuUsPerRead.gateway;
  const figures = {
    first_event_seconds: rounded(again.firstEvent),
    first_event_over_node_start: rounded(again.firstEvent / idle.nodeStartSeconds, 2),
    node_start_seconds: rounded(idle.nodeStartSeconds),
    resident_mb: rounded(residentMb, 1),
    // The rate is that of the field; what a read costs holds for 1,300 of them.
    cpu_share_1300: rounded((share * READS_PER_SECOND) / 1e6, 4),
    wake_us: rounded(idle.wakeUs, 1),
    growth_mb_10min: rounded(run.growthMbInTenMinutes, 2),
  };
  const perRead = endToEnd && both(endToEnd);
  const instructions = perRead === undefined ? {} : { instructions_per_read_end_to_end: perRead };
  return {
    bench: 'footprint',
    rows: [
      {
        what: 'load average',
        before: loadBefore,
        after_starts: loadBetween,
        at_the_end: loadAfter,
      },
      machineRow(idle),
      startRow('the first start of all', first),
      startRow('a start', again),
      ...memoryRows(run),
      cpuRow('radio-control', run.cpuUsPerRead.radio, run.cpuShare.radio),
      cpuRow('reader-gateway', run.cpuUsPerRead.gateway, run.cpuShare.gateway),
      diskRow(sizes),
      ...counted.map(([what, { perRead, how }]) => ({
        what: `instructions for a read, ${what}`,
        ...(perRead === null ? {} : { instructions: Math.round(perRead) }),
        how,
      })),
      ...(endToEnd ? endToEndRows(endToEnd) : []),
    ],
    ratios: {
      ...figures,
      ...(perRead == null ? {} : { instructions_per_read_end_to_end: perRead }),
    },
    figures: {
      ...figures,
      ...instructions,
      first_start_event_seconds: rounded(first.firstEvent),
      first_event_cpu_seconds: rounded(again.cpu),
      radio_ready_seconds: rounded(again.radioReady),
      first_read_seconds: rounded(again.firstRead),
      gateway_ready_seconds: rounded(again.gatewayReady),
      idle_mb: rounded(sum(run.idle.radio, run.idle.gateway).rssMb, 1),
      proportional_mb: proportional(run),
      halfway_mb: rounded(run.halfwayMb, 1),
      minutes,
      reads_per_second: rounded(run.eventsPerSecond, 1),
      lost: run.lost,
      cpu_us_per_read: rounded(share, 2),
      bundle_mb: rounded(sizes.bundleMb, 2),
      program_mb: rounded(sizes.programMb, 2),
      packages_mb: rounded(sizes.packagesMb, 1),
      addon_mb: sizes.addonMb === null ? null : rounded(sizes.addonMb, 2),
      load_average: loadAfter,
      ...Object.fromEntries(
        counted.map(([what, { perRead }]) => [
          `instructions_per_read_${what}`,
          perRead === null ? null : Math.round(perRead),
        ]),
      ),
    },
    notes: Object.fromEntries(counted.map(([what, { how }]) => [what, how])),
  };
}

/** A run at another rate says nothing of this one. */
function assertRate({ eventsPerSecond, lost }: Steady, tolerance: number): void {
  const off = Math.abs(eventsPerSecond - READS_PER_SECOND) / READS_PER_SECOND;
  if (off > tolerance) {
    throw new Error(
      `${eventsPerSecond.toFixed(0)} tag events a second, ${READS_PER_SECOND} wanted`,
    );
  }
  if (lost > 0) throw new Error(`${lost} tag events were lost`);
}

async function countedInstructions(): Promise<[string, Instructions][]> {
  const all: [string, Instructions][] = [['host', await instructionsHere()]];
  for (const emulation of EMULATIONS) {
    all.push([emulation.preset, await instructionsEmulated(emulation)]);
  }
  return all;
}

/** null: one of them could not be counted. */
function both({ radio, gateway }: EndToEnd): number | null {
  if (radio.perRead === null || gateway.perRead === null) return null;
  return Math.round(radio.perRead + gateway.perRead);
}

function endToEndRows({ radio, gateway }: EndToEnd): Row[] {
  const row = (service: string, { perRead, how }: Instructions): Row => ({
    what: `instructions for a read, ${service}`,
    ...(perRead === null ? {} : { instructions: Math.round(perRead) }),
    how,
  });
  return [row('radio-control', radio), row('reader-gateway', gateway)];
}

function machineRow({ nodeStartSeconds, wakeUs }: Machine): Row {
  return {
    what: 'Node.js on this machine, for nothing',
    start_s: rounded(nodeStartSeconds),
    cpu_us_per_wake: rounded(wakeUs, 1),
  };
}

function startRow(what: string, start: StartUp): Row {
  const { radioReady, firstRead, gatewayReady, firstEvent, cpu } = start;
  return {
    what,
    radio_control_ready_s: rounded(radioReady),
    first_read_s: rounded(firstRead),
    gateway_ready_s: rounded(gatewayReady),
    first_event_s: rounded(firstEvent),
    cpu_s: rounded(cpu),
  };
}

function memoryRows({ idle, end }: Steady): Row[] {
  const row = (what: string, radio: Memory, gateway: Memory): Row => {
    const both = sum(radio, gateway);
    return {
      what,
      radio_control_mb: rounded(radio.rssMb, 1),
      gateway_mb: rounded(gateway.rssMb, 1),
      both_mb: rounded(both.rssMb, 1),
      ...(both.pssMb === null ? {} : { proportional_mb: rounded(both.pssMb, 1) }),
    };
  };
  return [
    row('resident, idle', idle.radio, idle.gateway),
    row('resident, at the end', end.radio, end.gateway),
  ];
}

function cpuRow(what: string, usPerRead: number, share: number): Row {
  return { what, cpu_us_per_read: rounded(usPerRead, 2), cpu_share: rounded(share, 4) };
}

function diskRow({ bundleMb, programMb, packagesMb, addonMb }: Disk): Row {
  return {
    what: 'disk',
    bundle_mb: rounded(bundleMb, 2),
    program_mb: rounded(programMb, 2),
    packages_mb: rounded(packagesMb, 1),
    ...(addonMb === null ? {} : { addon_mb: rounded(addonMb, 2) }),
  };
}

function proportional({ end }: Steady): number | null {
  const { pssMb } = sum(end.radio, end.gateway);
  return pssMb === null ? null : rounded(pssMb, 1);
}

function load(): number {
  return rounded(loadavg()[0] as number, 2);
}

function rounded(value: number, digits = 3): number {
  return Number(value.toFixed(digits));
}
