/** The time of day that never jumps, and timers on it; tests bring their own. */
export interface Clock {
  /** Milliseconds since the epoch; a correction of the system's time does not move it. */
  now(): number;
  /** @param ms However long: weeks and years as well. */
  setTimeout(work: () => void, ms: number): Timer;
}

export interface Timer {
  cancel(): void;
}

/** What one timer of the system can wait, nearly 25 days; it would fire at once for more. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  setTimeout(work, ms) {
    let timer: NodeJS.Timeout;
    const wait = (leftMs: number) => {
      timer =
        leftMs > LONGEST_TIMER_MS
          ? setTimeout(() => wait(leftMs - LONGEST_TIMER_MS), LONGEST_TIMER_MS)
          : setTimeout(work, leftMs);
    };
    wait(ms);
    return { cancel: () => clearTimeout(timer) };
  },
};
