/** Reports dropped events: the first at once, then at most one line per 10 s sums up. */
import type { Logger } from '../../shared/log.js';

const EVERY_MS = 10_000;

export class DropLog {
  readonly #name: string;
  readonly #log: Logger;
  readonly #onReported: () => void;
  #dropped = 0;
  #lastMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(name: string, log: Logger, onReported: () => void) {
    this.#name = name;
    this.#log = log;
    this.#onReported = onReported;
  }

  add(count: number): void {
    this.#dropped += count;
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        this.#lastMs = Date.now();
        const dropped = this.#dropped;
        this.#dropped = 0;
        this.#log.warn({ endpoint: this.#name, dropped }, 'events dropped');
        this.#onReported();
      },
      Math.max(0, this.#lastMs + EVERY_MS - Date.now()),
    ).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}
