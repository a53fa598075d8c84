/** A value that costs something to find out, and may be a little old. */
export class Cached<T> {
  #value: Promise<T> | undefined;
  #until = 0;

  constructor(
    private readonly find: () => Promise<T>,
    private readonly maxAgeMs: number,
  ) {}

  /** All who ask at the same time wait for the same look; one that fails is not kept. */
  read(): Promise<T> {
    const now = performance.now();
    if (this.#value !== undefined && now < this.#until) return this.#value;
    const value = this.find();
    this.#value = value;
    this.#until = now + this.maxAgeMs;
    value.catch(() => {
      if (this.#value === value) this.#value = undefined;
    });
    return value;
  }

  /** The next to ask gets a new one. */
  forget(): void {
    this.#value = undefined;
  }
}
