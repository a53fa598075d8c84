/** Waiting times between tries: growing, capped, with jitter. Tries never end. */
export class Backoff {
  readonly #firstMs: number;
  readonly #maxMs: number;
  readonly #factor: number;
  #nextMs: number;

  /** @param options.factor Of a wait to the one before it. */
  constructor(options: { firstMs: number; maxMs: number; factor?: number }) {
    this.#firstMs = options.firstMs;
    this.#maxMs = options.maxMs;
    this.#factor = options.factor ?? 2;
    this.#nextMs = options.firstMs;
  }

  /** Milliseconds to wait before the next try: between half and the whole of the current step. */
  next(): number {
    const step = this.#nextMs;
    this.#nextMs = Math.min(this.#maxMs, step * this.#factor);
    return step / 2 + Math.random() * (step / 2);
  }

  /** To be called when a try succeeded. */
  reset(): void {
    this.#nextMs = this.#firstMs;
  }
}
