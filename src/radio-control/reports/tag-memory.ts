/**
 * A bounded memory of tags: two generations. A tag that is seen comes to the younger one; when
 * that is full, the older one, with the tags that were not seen for longest, is forgotten.
 */
import { RECORD } from '../record.js';
import { hashOf, NONE, TagTable } from './tag-table.js';

export class TagMemory {
  /** Different tags so far; one that was forgotten counts again. */
  uniqueTags = 0;
  forgottenTags = 0;
  /** The table that find() found the tag in, or put it. */
  table = new TagTable();
  readonly #maxTags: number;
  #old = new TagTable();
  #promoted = 0;

  constructor(maxTags: number) {
    this.#maxTags = Math.max(2, maxTags);
  }

  get memoryBytes(): number {
    return this.table.memoryBytes + this.#old.memoryBytes;
  }

  /** The tag of a record in `table`; a new one if it is not remembered. */
  tagOf(record: Buffer, offset: number): number {
    const start = offset + RECORD.epc;
    const length = record[offset + RECORD.epcBytes] as number;
    const hash = hashOf(record, start, length);
    const known = this.table.find(record, start, length, hash);
    if (known !== NONE) return known;
    if (this.table.tags >= this.#maxTags / 2) this.#forget();
    const old = this.#old.tags === 0 ? NONE : this.#old.find(record, start, length, hash);
    const tag = this.table.add(record, start, length, hash);
    if (old === NONE) {
      this.uniqueTags++;
    } else {
      this.#promoted++;
      this.table.takeOver(tag, this.#old, old);
    }
    return tag;
  }

  /** Where a tag is, without adding it. */
  lookUp(epc: Uint8Array): { table: TagTable; tag: number } | undefined {
    const hash = hashOf(epc, 0, epc.length);
    for (const table of [this.table, this.#old]) {
      const tag = table.find(epc, 0, epc.length, hash);
      if (tag !== NONE) return { table, tag };
    }
    return undefined;
  }

  /** Forgets what was reported, on purpose: these tags are not counted as forgotten. */
  clear(): void {
    this.table = new TagTable();
    this.#old = new TagTable();
    this.#promoted = 0;
  }

  #forget(): void {
    this.forgottenTags += this.#old.tags - this.#promoted;
    this.#old = this.table;
    this.#promoted = 0;
    this.table = new TagTable();
  }
}
