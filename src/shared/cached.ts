/** A value that costs something to find out, and may be a little old. */
interface Look<T> {
  value: Promise<T>;
  since: number;
}

export class Cached<T> {
  #look: Look<T> | undefined;
  /** Under way, while the one before is still good: who asks all the time never waits. */
  #next: Look<T> | undefined;

  constructor(
    private readonly find: () => Promise<T>,
    private readonly maxAgeMs: number,
  ) {}

  /** All who ask at the same time wait for the same look; one that fails is not kept. */
  read(): Promise<T> {
    const now = performance.now();
    const age = now - (this.#look?.since ?? Number.NEGATIVE_INFINITY);
    if (this.#look === undefined || age >= this.maxAgeMs) {
      this.#look = this.#next ?? this.#begin(now);
      this.#next = undefined;
    } else if (age >= this.maxAgeMs / 2) {
      this.#next ??= this.#begin(now);
    }
    return this.#look.value;
  }

  /** The next to ask gets a new one. */
  forget(): void {
    this.#look = undefined;
    this.#next = undefined;
  }

  #begin(since: number): Look<T> {
    const look = { value: this.find(), since };
    look.value.then(
      () => {
        if (this.#next !== look) return;
        this.#look = look;
        this.#next = undefined;
      },
      () => {
        if (this.#look === look) this.#look = undefined;
        if (this.#next === look) this.#next = undefined;
      },
    );
    return look;
  }
}
