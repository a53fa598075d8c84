/** How many retained events may leave now: so many a second, in steps. */
export class Throttle {
  readonly #perSecond: number;
  readonly #step: number;
  #allowance = 0;
  #atMs: number;

  /**
   * @param perSecond Infinity = no limit.
   * @param stepMs Time whose events may leave at once: many small messages go out together rather
   *   than each on a timer of its own.
   */
  constructor(perSecond: number, stepMs: number, nowMs: number) {
    this.#perSecond = perSecond;
    this.#step = Math.max(1, Math.floor((perSecond * stepMs) / 1000));
    this.#atMs = nowMs;
  }

  get isOff(): boolean {
    return this.#perSecond === Number.POSITIVE_INFINITY;
  }

  /** @returns Events that may leave now. */
  allowed(nowMs: number): number {
    if (this.isOff) return Number.POSITIVE_INFINITY;
    const gained = ((nowMs - this.#atMs) * this.#perSecond) / 1000;
    this.#allowance = Math.min(this.#step, this.#allowance + gained);
    this.#atMs = nowMs;
    return Math.floor(this.#allowance);
  }

  spend(events: number): void {
    if (!this.isOff) this.#allowance -= events;
  }

  /** Milliseconds until a whole step, or as many as are `left`, may leave. */
  waitMs(left: number): number {
    if (this.isOff) return 0;
    return (Math.max(0, Math.min(this.#step, left) - this.#allowance) / this.#perSecond) * 1000;
  }

  /** Saved up while nothing waited. */
  reset(nowMs: number): void {
    this.#allowance = 0;
    this.#atMs = nowMs;
  }
}
