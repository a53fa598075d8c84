/** environment: the link profile for the interference around the reader, within the region. */
import type { Environment } from '../api/mode.js';

const PROFILES: Record<Environment, string> = {
  LOW_INTERFERENCE: 'fastest',
  HIGH_INTERFERENCE: 'M4-250',
  VERY_HIGH_INTERFERENCE: 'M8-160',
  AUTO_DETECT: 'default',
  DEMO: 'M2-320',
};

/**
 * @param maxBlfKhz The fastest that fits into the region's channels.
 * @returns A profile of the radio; the module's default if it lacks the wanted one.
 */
export function linkProfileFor(
  environment: Environment,
  linkProfiles: readonly string[],
  maxBlfKhz: number,
): string {
  const wanted = PROFILES[environment];
  const fallback = linkProfiles[0] ?? '';
  if (wanted !== 'fastest') return linkProfiles.includes(wanted) ? wanted : fallback;
  return fastest(linkProfiles, maxBlfKhz) ?? fallback;
}

/**
 * AUTO_DETECT: from the fastest to what is understood in the worst noise. In between those where a
 * slower one is understood in clearly more noise; each that is tried costs time of the air.
 * @returns Profiles of the radio, none twice.
 */
export function candidates(linkProfiles: readonly string[], maxBlfKhz: number): string[] {
  const wanted = [
    ...(['FM0', 'M2', 'M4'] as const).map((coding) =>
      fastest(
        linkProfiles.filter((name) => name.startsWith(`${coding}-`)),
        maxBlfKhz,
      ),
    ),
    'M4-320',
    'M4-250',
    'M8-160',
  ];
  return [...new Set(wanted)].filter((name): name is string =>
    name === undefined ? false : linkProfiles.includes(name),
  );
}

/** By the tag's data rate: FM0-640 gives 640 kbit/s, M4-250 gives 250 / 4. */
function fastest(profiles: readonly string[], maxBlfKhz: number): string | undefined {
  let best: { name: string; rate: number } | undefined;
  for (const name of profiles) {
    const found = /^(FM0|M2|M4|M8)-(\d+)$/.exec(name);
    if (found === null || Number(found[2]) > maxBlfKhz) continue;
    const rate = Number(found[2]) / (found[1] === 'FM0' ? 1 : Number(found[1]?.slice(1)));
    if (best === undefined || rate > best.rate) best = { name, rate };
  }
  return best?.name;
}
