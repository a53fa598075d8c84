/**
 * Addresses that had a valid token or certificate lately. They get nothing for that but a place in a
 * queue that strangers cannot fill.
 */
import { clientKey } from './client-key.js';

/** As long as a token is valid. */
const KEPT_MS = 24 * 3600 * 1000;
const MAX_KEPT = 256;

export class KnownClients {
  /** When each was seen last; the one that was seen longest ago comes first. */
  readonly #seen = new Map<string, number>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** @param address Of the socket. */
  saw(address: string): void {
    const key = clientKey(address);
    this.#seen.delete(key);
    if (this.#seen.size >= MAX_KEPT) {
      const [oldest] = this.#seen.keys();
      if (oldest !== undefined) this.#seen.delete(oldest);
    }
    this.#seen.set(key, this.#nowMs());
  }

  /** @param key Of clientKey(). */
  has(key: string): boolean {
    const seen = this.#seen.get(key);
    return seen !== undefined && this.#nowMs() - seen < KEPT_MS;
  }

  /** What they showed is worth nothing any more. */
  forgetAll(): void {
    this.#seen.clear();
  }
}
