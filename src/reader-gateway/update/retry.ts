/** How often, and after which waits, a download is tried again. */
import type { OsUpdate } from '../api/os-update.js';

export class Retries {
  #left: number;
  readonly #minMs: number;
  readonly #maxMs: number;
  #stepMs: number;

  constructor({ retry }: Pick<OsUpdate, 'retry'>) {
    const { retries = 20, wait = {} } = retry?.policy ?? {};
    const { min = 1, max = Math.max(60, wait.min ?? 0) } = wait;
    this.#left = retries;
    this.#minMs = min * 1000;
    this.#maxMs = max * 1000;
    this.#stepMs = Math.min(this.#maxMs, this.#minMs === 0 ? 500 : this.#minMs * 2);
  }

  /**
   * Milliseconds to wait before the next try: random between min and a step that doubles up to max.
   * @param askedMs What the server asked for (Retry-After); it gets no more than max.
   * @returns undefined: there is no further try.
   */
  next(askedMs = 0): number | undefined {
    if (this.#left === 0) return undefined;
    this.#left--;
    const random = this.#minMs + Math.random() * Math.max(0, this.#stepMs - this.#minMs);
    this.#stepMs = Math.min(this.#maxMs, this.#stepMs * 2);
    return Math.min(this.#maxMs, Math.max(random, askedMs));
  }
}
