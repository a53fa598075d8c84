/**
 * How many numbers are reserved at a time. Each time costs a write that waits for the disk, and
 * wears out flash; what was reserved and not used is skipped after a loss of power.
 */
const LEAST = 1000;
const MOST = 1000 * 2 ** 10;
/** Reservations that follow each other faster double. */
const SOON_MS = 60_000;
/** Those that follow each other slower go back. */
const LATE_MS = 10 * SOON_MS;

export class Reservation {
  #step = LEAST;
  #lastMs: number | undefined;

  /** @returns How many to reserve now. */
  next(nowMs: number): number {
    const sinceMs = nowMs - (this.#lastMs ?? Number.NEGATIVE_INFINITY);
    this.#lastMs = nowMs;
    if (sinceMs < SOON_MS) this.#step = Math.min(MOST, 2 * this.#step);
    else if (sinceMs > LATE_MS) this.#step = Math.max(LEAST, this.#step / 2);
    return this.#step;
  }
}
