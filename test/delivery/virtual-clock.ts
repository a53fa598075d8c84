/** A clock that stands still until the test moves it. */
import { setImmediate as immediate } from 'node:timers/promises';
import type { Clock, Timer } from '../../src/shared/clock.js';

interface Due {
  atMs: number;
  work: () => void;
}

export class VirtualClock implements Clock {
  #nowMs: number;
  #timers: Due[] = [];

  /** 2026-01-01T00:00:00Z */
  constructor(nowMs = 1_767_225_600_000) {
    this.#nowMs = nowMs;
  }

  now(): number {
    return this.#nowMs;
  }

  /** How many timers wait. */
  get timers(): number {
    return this.#timers.length;
  }

  setTimeout(work: () => void, ms: number): Timer {
    const due = { atMs: this.#nowMs + ms, work };
    this.#timers.push(due);
    return {
      cancel: () => {
        this.#timers = this.#timers.filter((one) => one !== due);
      },
    };
  }

  /** Moves on; what is due on the way is done at its time, and sockets get their turn. */
  async advance(ms: number): Promise<void> {
    const end = this.#nowMs + ms;
    for (;;) {
      await settle();
      const next = this.#timers
        .filter(({ atMs }) => atMs <= end)
        .sort((one, other) => one.atMs - other.atMs)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((one) => one !== next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.work();
    }
    this.#nowMs = end;
    await settle();
  }
}

/** Lets what is on its way through the event loop arrive. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await immediate();
}
