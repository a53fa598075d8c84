/** Choices at random that a seed repeats (Mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 or above, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  of<T>(values: readonly [T, ...T[]]): T {
    return values[Math.floor(this.next() * values.length)] as T;
  }

  /** @param values Those with a weight of 2 come twice as often as those with 1. */
  weighted<T extends { weight: number }>(values: readonly T[]): T {
    const total = values.reduce((sum, { weight }) => sum + weight, 0);
    let left = this.next() * total;
    for (const value of values) {
      left -= value.weight;
      if (left < 0) return value;
    }
    return values.at(-1) as T;
  }
}
