/** Inputs whose contacts bounce: a level counts once it has held for a time. */
import type { Clock, Timer } from '../../shared/clock.js';
import type { Level } from '../io/lines.js';

export class Debounce {
  /** Levels that count. */
  readonly #settled = new Map<number, Level>();
  readonly #timers = new Map<number, Timer>();

  constructor(
    private readonly clock: Clock,
    private readonly waitMs: (port: number) => number,
    private readonly onLevel: (port: number, level: Level) => void,
  ) {}

  /** The first that is known of an input is no change. */
  begin(levels: ReadonlyMap<number, Level>): void {
    for (const [port, level] of levels) {
      if (!this.#settled.has(port)) this.#settled.set(port, level);
    }
  }

  changed(port: number, level: Level): void {
    this.#timers.get(port)?.cancel();
    this.#timers.delete(port);
    const before = this.#settled.get(port);
    if (before === undefined) this.#settled.set(port, level);
    if (before === undefined || before === level) return;
    const settle = () => {
      this.#timers.delete(port);
      this.#settled.set(port, level);
      this.onLevel(port, level);
    };
    const ms = this.waitMs(port);
    if (ms === 0) settle();
    else this.#timers.set(port, this.clock.setTimeout(settle, ms));
  }

  close(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }
}
