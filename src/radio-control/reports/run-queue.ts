/** The runs of reports that wait for one subscriber, oldest first. */
import type { EncodedReads } from './encode-reads.js';

interface Waiting {
  firstSequence: number;
  run: EncodedReads;
}

export class RunQueue {
  #items: Waiting[] = [];
  /** Items before it are gone; shift() on a long array would move all the others each time. */
  #head = 0;
  #reads = 0;

  get reads(): number {
    return this.#reads;
  }

  get runs(): number {
    return this.#items.length - this.#head;
  }

  push(firstSequence: number, run: EncodedReads): void {
    this.#items.push({ firstSequence, run });
    this.#reads += run.count;
  }

  /** Takes consecutive runs of at most `maxReads` reads, at least one run. The queue must not be empty. */
  take(maxReads: number): { firstSequence: number; runs: EncodedReads[] } {
    const { firstSequence } = this.#items[this.#head] as Waiting;
    const runs: EncodedReads[] = [];
    let next = firstSequence;
    while (this.#head < this.#items.length) {
      const item = this.#items[this.#head] as Waiting;
      const fits = runs.length === 0 || next - firstSequence + item.run.count <= maxReads;
      if (item.firstSequence !== next || !fits) break;
      runs.push(item.run);
      next += item.run.count;
      this.#advance();
    }
    return { firstSequence, runs };
  }

  /** @returns how many reads went with it. */
  dropFirst(): number {
    const { count } = (this.#items[this.#head] as Waiting).run;
    this.#advance();
    return count;
  }

  clear(): void {
    this.#items = [];
    this.#head = 0;
    this.#reads = 0;
  }

  #advance(): void {
    this.#reads -= (this.#items[this.#head] as Waiting).run.count;
    this.#head++;
    if (this.#head === this.#items.length) this.clear();
    else if (this.#head >= 1024 && this.#head * 2 >= this.#items.length) {
      this.#items.splice(0, this.#head);
      this.#head = 0;
    }
  }
}
