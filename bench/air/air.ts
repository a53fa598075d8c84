/**
 * Tags per second of the simulated interrogator, population unknown, static tags in S0: over the
 * ceiling of each link profile, beside the plain Q algorithm and a policy that knows how many
 * tags are left. All on the virtual clock; only the speed of the engine depends on the machine.
 */
import { writeFileSync } from 'node:fs';
import type { BenchOptions, BenchResult } from '../main.js';
import { type AirRow, measureAir, type Policy } from './measure-air.js';
import { plotAir } from './plot-air.js';

/** The profiles of the ceiling table (reference section 10.2), the fastest first. */
const PROFILES = [
  ...['FM0-640', 'FM0-640-P2', 'M2-640', 'FM0-426', 'FM0-320', 'M4-640', 'M2-320', 'FM0-160'],
  ...['M4-320', 'M2-250', 'M4-274', 'M4-250', 'M8-320', 'FM0-40', 'M8-160'],
];
const POLICIES: Policy[] = ['adaptive', 'known-population', 'q-algorithm'];
const POPULATIONS = [10, 100, 1_000, 10_000];
const DEFAULT_SEEDS = 50;
/** Populations from here on count for the ratios: with a few tags chance is greater than skill. */
const LEAST_FOR_RATIOS = 100;

/** Each redraw of the plain Q algorithm asks every tag: of 10,000 of them one seed says enough. */
function seedsFor(tags: number, policy: Policy, asked = DEFAULT_SEEDS): number {
  return tags >= 10_000 && policy === 'q-algorithm' ? 1 : asked;
}

export async function air({ plot, seeds }: BenchOptions): Promise<BenchResult> {
  const rows: AirRow[] = [];
  for (const profile of PROFILES) {
    for (const tags of POPULATIONS) {
      for (const policy of POLICIES) {
        rows.push(await measureAir(profile, tags, policy, seedsFor(tags, policy, seeds)));
      }
    }
  }
  if (plot !== undefined) writeFileSync(plot, plotAir(rows));
  return { bench: 'air', rows: rows.map((row) => ({ ...row })), ratios: ratios(rows) };
}

export function ratios(rows: readonly AirRow[]): Record<string, number> {
  const large = rows.filter((row) => row.tags >= LEAST_FOR_RATIOS);
  const of = (policy: Policy) => large.filter((row) => row.policy === policy);
  const overCeiling = (policy: Policy) => of(policy).map((row) => row.over_ceiling);
  const adaptive = overCeiling('adaptive');
  const plain = overCeiling('q-algorithm');
  const overKnown = of('adaptive').map((row) => {
    const known = large.find(
      (other) =>
        other.policy === 'known-population' &&
        other.profile === row.profile &&
        other.tags === row.tags,
    );
    return row.tags_per_second / (known as AirRow).tags_per_second;
  });
  const speed = (tags: number) =>
    Math.min(
      ...of('adaptive')
        .filter((row) => row.tags === tags)
        .map((row) => row.singulations_per_cpu_second),
    );
  return {
    adaptive_over_ceiling_min: Math.min(...adaptive),
    adaptive_over_ceiling_mean: adaptive.reduce((sum, ratio) => sum + ratio, 0) / adaptive.length,
    adaptive_over_ceiling_max: Math.max(...adaptive),
    adaptive_over_known_min: Math.min(...overKnown),
    plain_q_over_ceiling_min: Math.min(...plain),
    plain_q_over_ceiling_max: Math.max(...plain),
    singulations_per_cpu_second_1000: speed(1_000),
    singulations_per_cpu_second_10000: speed(10_000),
    bytes_per_tag_10000: Math.max(
      ...rows.filter((row) => row.tags === 10_000).map((row) => row.bytes_per_tag),
    ),
  };
}
