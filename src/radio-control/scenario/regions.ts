/** Radio regions: the channels a simulated reader uses, and how. Data: regions/NAME.json. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../shared/package-info.js';
import type { SeededRandom } from './random.js';
import type { Region } from './region-schema.js';
import type { ChannelRule } from './virtual-field.js';

const FOLDER = join(PACKAGE_ROOT, 'src/radio-control/scenario/regions');

export interface ChannelPlan {
  channelsKhz: number[];
  channelRule: ChannelRule;
}

export function regionNames(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .sort();
}

/** @param name One of regionNames(). */
export function loadRegion(name: string): Region {
  return JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'));
}

/**
 * Where the rules ask for hopping, the order is a permutation that the seed chooses.
 * @param busyShare How often a channel is found busy, where the region listens first.
 */
export function regionChannels(
  region: Region,
  random: SeededRandom,
  busyShare: number,
): ChannelPlan {
  const inOrder = region.channels.flatMap(({ firstKhz, stepKhz, count }) =>
    Array.from({ length: count }, (_, i) => firstKhz + i * stepKhz),
  );
  return {
    channelsKhz: region.hopping ? random.shuffled(inOrder) : inOrder,
    channelRule: withBusyShare(region.rule, busyShare),
  };
}

/** Who does not listen never finds a channel busy. */
export function withBusyShare(rule: ChannelRule, busyShare: number): ChannelRule {
  return (rule.listenMs ?? 0) > 0 ? { ...rule, busyShare } : { ...rule };
}
