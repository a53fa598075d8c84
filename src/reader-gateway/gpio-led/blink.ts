/** The on and off of one output over time. Reckoned from its beginning, so it does not drift. */
import type { Clock, Timer } from '../../shared/clock.js';
import type { Blink as BlinkTimes } from '../api/gpio-led.js';

export class Blink {
  /** Resolves at the end of its duration; of one without an end at once. */
  readonly over: Promise<void>;
  readonly #clock: Clock;
  readonly #times: BlinkTimes;
  readonly #beganMs: number;
  #show: ((on: boolean) => void) | undefined;
  #shown: boolean | undefined;
  #timer: Timer | undefined;
  #end: () => void = () => {};

  constructor(clock: Clock, times: BlinkTimes, show: (on: boolean) => void) {
    this.#clock = clock;
    this.#times = times;
    this.#show = show;
    this.#beganMs = clock.now();
    this.over =
      times.DURATION === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            this.#end = resolve;
          });
    this.#step();
  }

  /** It has no output to show it on any more; what waits for its end waits on. */
  lose(): void {
    this.#show = undefined;
    if (this.#times.DURATION === 0) this.#timer?.cancel();
  }

  /** Ends it before its time. */
  stop(): void {
    this.lose();
    this.#timer?.cancel();
    this.#end();
  }

  #step(): void {
    const { ON, OFF, DURATION } = this.#times;
    const elapsed = this.#clock.now() - this.#beganMs;
    if (DURATION > 0 && elapsed >= DURATION) {
      this.#show = undefined;
      this.#end();
      return;
    }
    const position = elapsed % (ON + OFF);
    const on = position < ON;
    if (on !== this.#shown) {
      this.#shown = on;
      this.#show?.(on);
    }
    const left = DURATION === 0 ? Number.POSITIVE_INFINITY : DURATION - elapsed;
    const next = ON === 0 || OFF === 0 ? left : (on ? ON : ON + OFF) - position;
    const waitMs = this.#show === undefined ? left : Math.min(next, left);
    // One that is always on or off, without an end, has nothing more to do.
    if (!Number.isFinite(waitMs)) return;
    this.#timer = this.#clock.setTimeout(() => this.#step(), Math.max(1, waitMs));
  }
}
