/** So many at once, and as many more in a minute. */
export class Allowance {
  readonly #perMinute: number;
  #left: number;
  #atMs = 0;

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
    this.#left = perMinute;
  }

  /** @returns Whether there was one left to take. */
  take(nowMs: number): boolean {
    const gained = (Math.max(0, nowMs - this.#atMs) * this.#perMinute) / 60_000;
    this.#atMs = nowMs;
    this.#left = Math.min(this.#perMinute, this.#left + gained);
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}
