/** How often, and after which waits, a fetch is tried again. */
import type { FetchLimits } from '../api/fetch.js';
import type { FetchRequest } from './fetch-request.js';

export interface RetryPolicy {
  /** After the first try. */
  retries: number;
  minMs: number;
  maxMs: number;
}

/** @param limits What holds where the request says nothing. */
export function retryPolicy(
  { retry }: Pick<FetchRequest, 'retry'>,
  limits: Pick<FetchLimits, 'retries' | 'wait'>,
): RetryPolicy {
  const { retries = limits.retries.default, wait = {} } = retry?.policy ?? {};
  const { min = limits.wait.min, max = Math.max(limits.wait.max, min) } = wait;
  return { retries, minMs: min * 1000, maxMs: max * 1000 };
}

export class Retries {
  #left: number;
  readonly #minMs: number;
  readonly #maxMs: number;
  #stepMs: number;

  constructor({ retries, minMs, maxMs }: RetryPolicy) {
    this.#left = retries;
    this.#minMs = minMs;
    this.#maxMs = maxMs;
    this.#stepMs = Math.min(maxMs, minMs === 0 ? 500 : minMs * 2);
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
