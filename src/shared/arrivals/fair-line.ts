/** A line in which everybody has a turn, however many the others brought. Pure. */
export class FairLine<T> {
  /** By whose they are; the one whose turn it is comes first. */
  readonly #lines = new Map<string, T[]>();
  #length = 0;

  /** @param most In all lines together. */
  constructor(private readonly most: number) {}

  get length(): number {
    return this.#length;
  }

  /** @returns What has to go for it: the last of the longest line; undefined: there was room. */
  push(key: string, one: T): T | undefined {
    const line = this.#lines.get(key);
    if (line === undefined) this.#lines.set(key, [one]);
    else line.push(one);
    this.#length++;
    return this.#length > this.most ? this.#shorten() : undefined;
  }

  /** The next one of the next who has any. */
  shift(): T | undefined {
    const [next] = this.#lines;
    if (next === undefined) return undefined;
    const [key, line] = next;
    const one = line.shift();
    this.#lines.delete(key);
    if (line.length > 0) this.#lines.set(key, line);
    this.#length--;
    return one;
  }

  remove(key: string, one: T): boolean {
    const line = this.#lines.get(key) ?? [];
    const at = line.indexOf(one);
    if (at < 0) return false;
    line.splice(at, 1);
    if (line.length === 0) this.#lines.delete(key);
    this.#length--;
    return true;
  }

  #shorten(): T | undefined {
    let longest: [string, T[]] | undefined;
    for (const entry of this.#lines) {
      // Of equal ones that which came last: it has waited least.
      if (entry[1].length >= (longest?.[1].length ?? 0)) longest = entry;
    }
    if (longest === undefined) return undefined;
    const [key, line] = longest;
    const last = line.pop();
    if (line.length === 0) this.#lines.delete(key);
    this.#length--;
    return last;
  }
}
