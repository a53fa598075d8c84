/** Counts failed logins by the address they come from. */

const WINDOW_MS = 60_000;
const MAX_FAILURES = 10;
const MAX_ADDRESSES = 10_000;

export class LoginAttempts {
  readonly #failures = new Map<string, { count: number; until: number }>();

  /** Seconds to wait before the next login is looked at; 0 = none. */
  blockedFor(address: string, now = Date.now()): number {
    const entry = this.#failures.get(address);
    if (entry === undefined || entry.count < MAX_FAILURES) return 0;
    return Math.max(0, Math.ceil((entry.until - now) / 1000));
  }

  failed(address: string, now = Date.now()): void {
    const entry = this.#failures.get(address);
    if (entry !== undefined && entry.until > now) {
      entry.count++;
      return;
    }
    // Many addresses cannot fill the memory: the oldest is forgotten.
    if (this.#failures.size >= MAX_ADDRESSES) {
      const [oldest] = this.#failures.keys();
      if (oldest !== undefined) this.#failures.delete(oldest);
    }
    this.#failures.delete(address);
    this.#failures.set(address, { count: 1, until: now + WINDOW_MS });
  }

  succeeded(address: string): void {
    this.#failures.delete(address);
  }
}
