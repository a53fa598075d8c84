/** Runs of dynamic frame-slotted ALOHA until every tag is read; gives the slots that it took. */
import type { SeededRandom } from '../../src/radio-control/scenario/random.js';
import type { NextFrame } from './estimators.js';
import { binomial, drawFrame } from './slots.js';

/** Ends with the first frame without collisions. */
export function framesUntilDone(
  random: SeededRandom,
  tags: number,
  firstFrame: number,
  next: NextFrame,
): number {
  let left = tags;
  let size = firstFrame;
  let slots = 0;
  for (;;) {
    const frame = drawFrame(random, left, size);
    slots += size;
    left -= frame.single;
    if (frame.collided === 0) return slots;
    size = Math.max(1, next(frame, left));
  }
}

const FIRST_Q = 4;
const Q_STEP = 0.3;

/**
 * The Q algorithm as jRFIDsim has it: all tags draw again after every slot that was not a
 * single one; it ends when the floating Q comes to 0.
 */
export function qAlgorithm(random: SeededRandom, tags: number): number {
  let left = tags;
  let floating = FIRST_Q;
  let slots = 0;
  while (floating > 0) {
    let waiting = left;
    for (let size = 2 ** Math.round(floating); size > 0; size--) {
      const here = binomial(random, waiting, 1 / size);
      slots++;
      if (here === 1) {
        left--;
        waiting--;
        continue;
      }
      floating += here === 0 ? -Q_STEP : Q_STEP;
      break;
    }
  }
  return slots;
}
