/** The tags seen last, for the live view: bounded, however many tags pass. */
import type { TagRow } from './model.js';

const MAX_ROWS = 2000;

export class TagTable {
  // In the order of their last read, the newest last: a row that is read again moves to the end.
  readonly #rows = new Map<string, TagRow>();

  add(epc: string, antenna: number, rssiDbm: number, reads: number, nowMs: number): void {
    const key = `${antenna} ${epc}`;
    const before = this.#rows.get(key);
    this.#rows.delete(key);
    const all = (before?.reads ?? 0) + reads;
    this.#rows.set(key, { epc, antenna, rssiDbm, reads: all, lastSeenMs: nowMs });
    if (this.#rows.size > MAX_ROWS) {
      const [oldest] = this.#rows.keys();
      this.#rows.delete(oldest as string);
    }
  }

  /** The newest first. */
  rows(): TagRow[] {
    return [...this.#rows.values()].reverse();
  }
}
