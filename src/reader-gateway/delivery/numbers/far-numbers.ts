/** Numbers above all that can have been used, for a reader that does not know which were. */

/** No clock of a reader in use is before this; its own may be. */
const EARLIEST_MS = Date.UTC(2026, 0, 1);
/** More events than come in a millisecond, over all the years. */
const NUMBERS_PER_MS = 10;
/** At least so far, if the clock was put back since numbers were made of it. */
const FAR = 1e9;

export function firstOfTime(nowMs: number): number {
  return Math.floor(Math.max(nowMs, EARLIEST_MS) * NUMBERS_PER_MS);
}

/** @returns A number of the time, and never one of those that follow soon. */
export function farAbove(next: number, nowMs: number): number {
  return Math.max(firstOfTime(nowMs), next + FAR);
}
