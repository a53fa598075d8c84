/** Waiting times between tries: doubling, capped, with jitter. Tries never end. */
export class Backoff {
  readonly #firstMs: number;
  readonly #maxMs: number;
  #nextMs: number;

  constructor(options: { firstMs: number; maxMs: number }) {
    this.#firstMs = options.firstMs;
    this.#maxMs = options.maxMs;
    this.#nextMs = options.firstMs;
  }

  /** Milliseconds to wait before the next try: between half and the whole of the current step. */
  next(): number {
    const step = this.#nextMs;
    this.#nextMs = Math.min(this.#maxMs, step * 2);
    return step / 2 + Math.random() * (step / 2);
  }

  /** To be called when a try succeeded. */
  reset(): void {
    this.#nextMs = this.#firstMs;
  }
}
