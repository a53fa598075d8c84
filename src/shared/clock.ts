/** The time of day that never jumps, and timers on it; tests bring their own. */
export interface Clock {
  /** Milliseconds since the epoch; a correction of the system's time does not move it. */
  now(): number;
  setTimeout(work: () => void, ms: number): Timer;
}

export interface Timer {
  cancel(): void;
}

export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  setTimeout(work, ms) {
    const timer = setTimeout(work, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};
