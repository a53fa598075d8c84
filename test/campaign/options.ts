/** What a campaign is asked for: --minutes N [--spill] [--seed S]. */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

export interface CampaignOptions {
  /** Of faults; the start, and what still waits at the end, come in addition. */
  minutes: number;
  /** What waits is also on disk. */
  spill: boolean;
  /** Equal seeds give equal faults in equal order, as far as the time allows. */
  seed: number;
}

const MOST_MINUTES = 24 * 60;
const SEEDS = 2 ** 32;

/** @throws naming what is wrong. */
export function readOptions(args: string[]): CampaignOptions {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '10' },
      spill: { type: 'boolean', default: false },
      seed: { type: 'string' },
    },
  });
  const minutes = Number(values.minutes);
  if (!(minutes > 0 && minutes <= MOST_MINUTES)) {
    throw new Error(`--minutes: ${values.minutes} is not a number above 0, up to ${MOST_MINUTES}`);
  }
  const seed = Number(values.seed ?? randomInt(SEEDS));
  if (!Number.isInteger(seed) || seed < 0 || seed >= SEEDS) {
    throw new Error(`--seed: ${values.seed} is not a number of 0 to ${SEEDS - 1}`);
  }
  return { minutes, spill: values.spill, seed };
}
