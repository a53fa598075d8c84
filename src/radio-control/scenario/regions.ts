/** Radio regions: the channels a simulated reader hops through. Data: regions.json. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../shared/package-info.js';
import type { SeededRandom } from './random.js';
import type { ChannelRule } from './virtual-field.js';

interface Region {
  name: string;
  firstKhz: number;
  stepKhz: number;
  channels: number;
  dwellMs: number;
  hopping: boolean;
}

export interface ChannelPlan {
  channelsKhz: number[];
  channelRule: ChannelRule;
}

export const REGIONS: Record<string, Region> = JSON.parse(
  readFileSync(join(PACKAGE_ROOT, 'src/radio-control/scenario/regions.json'), 'utf8'),
);

/** Where the rules ask for hopping, the order is a permutation that the seed chooses. */
export function regionChannels(region: Region, random: SeededRandom): ChannelPlan {
  const inOrder = Array.from(
    { length: region.channels },
    (_, i) => region.firstKhz + i * region.stepKhz,
  );
  return {
    channelsKhz: region.hopping ? random.shuffled(inOrder) : inOrder,
    channelRule: { dwellMs: region.dwellMs },
  };
}
