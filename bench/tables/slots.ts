/** Slots of a frame, drawn one by one: how many of `tags` lie in each, without drawing every tag. */
import type { SeededRandom } from '../../src/radio-control/scenario/random.js';

/** Draws from the binomial distribution by inversion. */
export function binomial(random: SeededRandom, tags: number, chance: number): number {
  if (tags === 0) return 0;
  if (chance >= 1) return tags;
  const odds = chance / (1 - chance);
  let term = (1 - chance) ** tags;
  let left = random.next() - term;
  let hits = 0;
  while (left >= 0 && hits < tags) {
    term *= ((tags - hits) / (hits + 1)) * odds;
    left -= term;
    hits++;
  }
  return hits;
}

export interface Frame {
  size: number;
  empty: number;
  single: number;
  collided: number;
}

/** A whole frame in which each tag draws one slot. */
export function drawFrame(random: SeededRandom, tags: number, size: number): Frame {
  const frame: Frame = { size, empty: 0, single: 0, collided: 0 };
  let left = tags;
  for (let slot = 0; slot < size; slot++) {
    const here = binomial(random, left, 1 / (size - slot));
    left -= here;
    if (here === 0) frame.empty++;
    else if (here === 1) frame.single++;
    else frame.collided++;
  }
  return frame;
}
