/** Runs the native measurement of the simulated air: one process for each line of the table. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';

const PROGRAM = join(PACKAGE_ROOT, 'out/host/singulate_air_bench');

export type Policy = 'adaptive' | 'known-population' | 'q-algorithm';

/** What native/bench/air_bench.cpp prints; means over the seeds. Times in seconds of air time. */
export interface AirRow {
  profile: string;
  tags: number;
  policy: Policy;
  seeds: number;
  tags_per_second: number;
  ceiling: number;
  over_ceiling: number;
  empty: number;
  single: number;
  collided: number;
  slot_efficiency: number;
  /** Until half, 90 %, 99 % and all of the tags are read. */
  s50: number;
  s90: number;
  s99: number;
  s100: number;
  times_real_time: number;
  singulations_per_cpu_second: number;
  bytes_per_tag: number;
}

export async function measureAir(
  profile: string,
  tags: number,
  policy: Policy,
  seeds: number,
): Promise<AirRow> {
  const args = [profile, String(tags), policy, String(seeds)];
  const { stdout } = await promisify(execFile)(PROGRAM, args);
  return JSON.parse(stdout) as AirRow;
}
