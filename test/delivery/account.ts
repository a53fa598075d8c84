/** What came by one way, of a source of numbered events that ends and comes back. */

interface Range {
  first: number;
  last: number;
}

export class Account {
  /** Events, also those that came twice. */
  arrived = 0;
  last = 0;
  /** Numbers that stood for two different events. */
  readonly conflicts: { number: number; one: string; other: string }[] = [];
  readonly #contents = new Map<number, string>();
  /** By the number of the event that told of them. */
  readonly #reported = new Map<number, number>();
  #seen: Range[] = [];

  constructor(readonly name: string) {}

  /** @param text An event, or an array of them. */
  message(text: string): void {
    for (const { type, data } of [JSON.parse(text)].flat()) {
      if (type === 'OVERFLOW') {
        if (!this.#reported.has(data.eventNum)) this.#reported.set(data.eventNum, data.lost);
        this.#mark(data.firstEventNum, data.lastEventNum);
      } else {
        this.#event(data.eventNum, data.idHex);
      }
    }
  }

  /** Events that were reported lost; of a number that came twice, once. */
  get reported(): number {
    return [...this.#reported.values()].reduce((sum, lost) => sum + lost, 0);
  }

  /** Numbers that neither came nor were reported lost. */
  get missing(): Range[] {
    this.#seen.sort((one, other) => one.first - other.first);
    const seen: Range[] = [];
    const missing: Range[] = [];
    for (const range of this.#seen) {
      const before = seen.at(-1);
      const next = (before?.last ?? 0) + 1;
      if (range.first > next) missing.push({ first: next, last: range.first - 1 });
      if (before !== undefined && range.first <= next) {
        before.last = Math.max(before.last, range.last);
      } else {
        seen.push(range);
      }
    }
    this.#seen = seen;
    return missing;
  }

  #event(number: number, content: string): void {
    const before = this.#contents.get(number);
    if (before !== undefined && before !== content) {
      this.conflicts.push({ number, one: before, other: content });
    }
    this.#contents.set(number, content);
    this.arrived++;
    this.#mark(number, number);
  }

  #mark(first: number, last: number): void {
    const before = this.#seen.at(-1);
    if (before?.last === first - 1) before.last = last;
    else this.#seen.push({ first, last });
    this.last = Math.max(this.last, last);
  }
}
