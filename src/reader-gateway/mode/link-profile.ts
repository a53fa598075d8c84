/** linkProfile and environment: how reader and tags talk. A number wins over the environment. */
import { FeatureSupport } from '../../contract/messages.js';
import type { Violation } from '../../shared/errors.js';
import type { OperatingMode } from '../api/mode.js';
import { show } from '../api/validate.js';
import { candidates, linkProfileFor } from './environment.js';
import type { Problems } from './problems.js';
import type { RadioFacts } from './radio-facts.js';

/**
 * In channels of 200 kHz the replies of a fast link would lie where other readers talk: the fastest
 * that modules offer there is 426 kHz.
 */
const NARROW_KHZ = 250;
const MAX_BLF_IN_NARROW = 426;

export interface LinkPlan {
  /** '' = the module's default. */
  linkProfile: string;
  /** More than one: the radio chooses among them while it reads. */
  linkProfileCandidates: readonly string[];
  /** Fields that have no effect on it. */
  ignored: readonly Violation[];
}

const FIXED: LinkPlan = { linkProfile: '', linkProfileCandidates: [], ignored: [] };

/** @returns kHz; endless where nothing limits it. */
export function maxBlfKhz({ channelWidthKhz }: Pick<RadioFacts, 'channelWidthKhz'>): number {
  const narrow = channelWidthKhz > 0 && channelWidthKhz <= NARROW_KHZ;
  return narrow ? MAX_BLF_IN_NARROW : Number.POSITIVE_INFINITY;
}

/** Whether a profile fits into the region's channels; one without a known frequency does. */
export function fitsRegion(name: string, radio: Pick<RadioFacts, 'channelWidthKhz'>): boolean {
  const blfKhz = /^(?:FM0|M2|M4|M8)-(\d+)/.exec(name)?.[1];
  return blfKhz === undefined || Number(blfKhz) <= maxBlfKhz(radio);
}

export function compileLinkProfile(
  mode: OperatingMode,
  radio: RadioFacts,
  problems: Problems,
): LinkPlan {
  const { linkProfile: number, environment } = mode;
  if (number !== undefined) checkNumber(number, radio, problems);
  if (isRecorded(radio)) {
    const message = 'has no effect on a recording, which has its own link';
    const given = (['linkProfile', 'environment'] as const).filter((field) => field in mode);
    return { ...FIXED, linkProfile: '', ignored: given.map((field) => ({ field, message })) };
  }
  if (number !== undefined) {
    const message = 'has no effect beside linkProfile';
    return {
      ...FIXED,
      linkProfile: radio.linkProfiles[number - 1] ?? '',
      ignored: environment === undefined ? [] : [{ field: 'environment', message }],
    };
  }
  const { linkProfiles } = radio;
  const limit = maxBlfKhz(radio);
  return {
    linkProfile: linkProfileFor(environment ?? 'HIGH_INTERFERENCE', linkProfiles, limit),
    linkProfileCandidates: environment === 'AUTO_DETECT' ? candidates(linkProfiles, limit) : [],
    ignored: [],
  };
}

function checkNumber(number: number, radio: RadioFacts, problems: Problems): void {
  const { linkProfiles, channelWidthKhz } = radio;
  const name = linkProfiles[number - 1];
  if (name !== undefined && fitsRegion(name, radio)) return;
  const allowed = linkProfiles.flatMap((one, index) => (fitsRegion(one, radio) ? [index + 1] : []));
  const what =
    name === undefined
      ? `${show(number)} is no link profile of this radio`
      : `${number} (${name}) is too fast for channels of ${channelWidthKhz} kHz`;
  problems.add(
    'linkProfile',
    `${what}; allowed: ${ranges(allowed)} (readerCapabilities tells them)`,
  );
}

/** Whatever a plan says, a recording has the link with which it was made. */
function isRecorded({ features = [] }: RadioFacts): boolean {
  return features.some(
    ({ field, support }) => field === 'link_profile' && support === FeatureSupport.Support.RECORDED,
  );
}

/** [1, 2, 3, 7] -> "1..3, 7". */
function ranges(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}..${to}`)).join(', ');
}
