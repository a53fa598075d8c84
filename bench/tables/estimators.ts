/**
 * How published algorithms of dynamic frame-slotted ALOHA choose the next frame (reference
 * section 10.5). Each slot counts the same, whatever happens in it.
 */
import { bestFrame } from './best-frame.js';
import type { Frame } from './slots.js';

/** @param left Tags that are really left; only the algorithms that know it look at it. */
export type NextFrame = (frame: Frame, left: number) => number;

export const schoute: NextFrame = ({ collided }) => Math.round(2.39 * collided);

export const lowerBound: NextFrame = ({ collided }) => 2 * collided;

const EOM_LEE_PRECISION = 1e-3;

export const eomLee: NextFrame = ({ size, single, collided }) => {
  let perCollision = 2;
  for (;;) {
    const share = size / (perCollision * collided + single);
    const silent = Math.exp(-1 / share);
    const next = (1 - silent) / (share * (1 - (1 + 1 / share) * silent));
    const settled = Math.abs(next - perCollision) < EOM_LEE_PRECISION;
    perCollision = next;
    if (settled) return Math.round(perCollision * collided);
  }
};

/** Šolić's improved linear combinatorial model. */
export const ilcm: NextFrame = ({ size: L, single: s, collided: c }) => {
  const slope = c / (4.344 * L - 16.28 + (L / (-2.282 - 0.273 * L)) * c);
  const k = Math.max(0, slope + 0.2407 * Math.log(L + 42.56));
  const l = (1.2592 + 1.513 * L) * Math.tan(1.234 * L ** -0.9907 * c);
  return Math.round(k * s + l - s);
};

export const knownPopulation: NextFrame = (_frame, left) => left;

export const knownPowerOfTwo: NextFrame = (_frame, left) => bestFrame(left);
