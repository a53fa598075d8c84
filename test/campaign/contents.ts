/** What each number stood for: a check sum of its event. Numbers may be far apart. */
import { joined, type Range } from './ranges.js';

const PAGE = 4096;

export class Contents {
  /** By their first number; 0: it did not come. */
  readonly #pages = new Map<number, Uint32Array>();
  size = 0;

  /** @returns What came with the number before; undefined: it is new. */
  set(number: number, sum: number): number | undefined {
    const at = number % PAGE;
    let page = this.#pages.get(number - at);
    if (page === undefined) {
      page = new Uint32Array(PAGE);
      this.#pages.set(number - at, page);
    }
    const before = page[at] ?? 0;
    if (before !== 0) return before;
    page[at] = sum;
    this.size++;
    return undefined;
  }

  /** The numbers that came. */
  ranges(): Range[] {
    const runs: Range[] = [];
    for (const [first, page] of this.#pages) {
      page.forEach((sum, at) => {
        if (sum === 0) return;
        const number = first + at;
        const run = runs.at(-1);
        if (run?.last === number - 1) run.last = number;
        else runs.push({ first: number, last: number });
      });
    }
    return joined(runs);
  }
}
