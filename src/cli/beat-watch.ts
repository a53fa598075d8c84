/** Whether a service still beats (shared/loop-watch.ts): one whose event loop stands does not. */

/** To be looked at this often. */
export const LOOK_MS = 1000;
/** A look that comes later than this counts as this: then this process was held up as well. */
const LONGEST_LOOK_MS = 1500;

export interface BeatLimits {
  /** Without a beat, after the first one. */
  silentMs: number;
  /** Without the first one: loading may take long on a slow machine. */
  firstMs: number;
}

/** As long as the watchdog of the units of systemd. */
export const BEAT_LIMITS: BeatLimits = { silentMs: 20_000, firstMs: 60_000 };

export class BeatWatch {
  readonly #limits: BeatLimits;
  readonly #now: () => number;
  #hasBeaten = false;
  #silentMs = 0;
  #lookedAt: number;

  /** Of one process, from its start on. */
  constructor(limits: BeatLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
    this.#lookedAt = now();
  }

  beat(): void {
    this.#hasBeaten = true;
    this.#silentMs = 0;
  }

  /** Time without a beat in which this process could have taken one, ms. */
  get silentMs(): number {
    return this.#silentMs;
  }

  /** @returns whether the loop stands. */
  look(): boolean {
    const now = this.#now();
    this.#silentMs += Math.min(now - this.#lookedAt, LONGEST_LOOK_MS);
    this.#lookedAt = now;
    const { silentMs, firstMs } = this.#limits;
    return this.#silentMs >= (this.#hasBeaten ? silentMs : firstMs);
  }
}
