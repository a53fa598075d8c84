/** A part of the time of the event loop. Pure: who uses it brings the time. */
export interface ShareLimits {
  /** Of the time that passes, 0 to 1. */
  share: number;
  /** Milliseconds that may be used at once after a time in which nothing was. */
  burstMs: number;
}

export class LoopShare {
  #leftMs: number;
  #at: number;

  /** @param now Milliseconds, monotonic. */
  constructor(
    private readonly limits: ShareLimits,
    now: number,
  ) {
    this.#leftMs = limits.burstMs;
    this.#at = now;
  }

  /** @returns Milliseconds until something may begin; 0 = now. */
  waitMs(now: number): number {
    const { share, burstMs } = this.limits;
    this.#leftMs = Math.min(burstMs, this.#leftMs + (now - this.#at) * share);
    this.#at = now;
    return this.#leftMs > 0 ? 0 : Math.ceil(-this.#leftMs / share) + 1;
  }

  /** What was used may be more than was left: the next waits so much longer. */
  use(ms: number): void {
    this.#leftMs -= ms;
  }
}
