/**
 * What is remembered of tags, in typed arrays: an open-addressing hash table of their EPCs, and
 * after each tag a list of sightings, one for each place that it is remembered for. Grows in
 * steps; nothing is ever taken out. Strings and objects would cost several times as much.
 */
import { RECORD } from '../record.js';

const FIRST_TAGS = 1024;
/** Bytes of a stored EPC: most have 12. Longer ones make the arena wider for all. */
const FIRST_STRIDE = 16;
const LONGEST_EPC = 62;
/** Slots for each tag: the table is never more than half full. */
const SLOTS_PER_TAG = 2;

export const NONE = -1;

export class TagTable {
  /** Tags and sightings that are there. */
  tags = 0;
  sightings = 0;

  // By tag.
  #slots = new Int32Array(FIRST_TAGS * SLOTS_PER_TAG).fill(NONE);
  #hashes = new Uint32Array(FIRST_TAGS);
  #lengths = new Uint8Array(FIRST_TAGS);
  #stride = FIRST_STRIDE;
  #epcs = new Uint8Array(FIRST_TAGS * FIRST_STRIDE);
  #first = new Int32Array(FIRST_TAGS);

  // By sighting.
  /** Port and beam as one number; 0 = the reader as a whole. */
  place = new Uint32Array(FIRST_TAGS);
  next = new Int32Array(FIRST_TAGS);
  /** Air time of the last report, milliseconds since the epoch; -1 = none yet. */
  reportedMs = new Float64Array(FIRST_TAGS);
  /** ONCE only: reads since the report. */
  seenCount = new Uint32Array(FIRST_TAGS);
  /** Where its report waits, and the number of the waiting for which that holds. */
  waitsAt = new Int32Array(FIRST_TAGS);
  waitsIn = new Uint32Array(FIRST_TAGS);

  get memoryBytes(): number {
    const arrays = [this.#slots, this.#hashes, this.#lengths, this.#epcs, this.#first];
    const more = [this.place, this.next, this.reportedMs, this.seenCount];
    return [...arrays, ...more, this.waitsAt, this.waitsIn].reduce(
      (sum, { byteLength }) => sum + byteLength,
      0,
    );
  }

  /** The tag with this EPC, or NONE. `hash` is hashOf() the same bytes. */
  find(bytes: Uint8Array, start: number, length: number, hash: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const tag = this.#slots[slot] as number;
      if (tag === NONE) return NONE;
      if (this.#hashes[tag] === hash && this.#is(tag, bytes, start, length)) return tag;
    }
  }

  /** Adds a tag that is not there yet. */
  add(bytes: Uint8Array, start: number, length: number, hash: number): number {
    if (this.tags === this.#hashes.length) this.#growTags();
    if (length > this.#stride) this.#widen(length);
    const tag = this.tags++;
    this.#hashes[tag] = hash;
    this.#lengths[tag] = length;
    this.#first[tag] = NONE;
    const at = tag * this.#stride;
    for (let i = 0; i < length; i++) this.#epcs[at + i] = bytes[start + i] as number;
    this.#place(tag);
    return tag;
  }

  /** The tag's sighting at a place; a new one if there is none. */
  sighting(tag: number, place: number): number {
    for (let i = this.#first[tag] as number; i !== NONE; i = this.next[i] as number) {
      if (this.place[i] === place) return i;
    }
    return this.addSighting(tag, place);
  }

  addSighting(tag: number, place: number): number {
    if (this.sightings === this.place.length) this.#growSightings();
    const i = this.sightings++;
    this.place[i] = place;
    this.next[i] = this.#first[tag] as number;
    this.#first[tag] = i;
    this.reportedMs[i] = -1;
    this.seenCount[i] = 0;
    this.waitsIn[i] = 0;
    return i;
  }

  /** The first sighting of a tag; `next` leads on, NONE ends the list. */
  firstSighting(tag: number): number {
    return this.#first[tag] as number;
  }

  /** Takes over what another table knows of a tag. */
  takeOver(tag: number, from: TagTable, theirs: number): void {
    for (let i = from.firstSighting(theirs); i !== NONE; i = from.next[i] as number) {
      const own = this.addSighting(tag, from.place[i] as number);
      this.reportedMs[own] = from.reportedMs[i] as number;
      this.seenCount[own] = from.seenCount[i] as number;
      this.waitsAt[own] = from.waitsAt[i] as number;
      this.waitsIn[own] = from.waitsIn[i] as number;
    }
  }

  #is(tag: number, bytes: Uint8Array, start: number, length: number): boolean {
    if (this.#lengths[tag] !== length) return false;
    const at = tag * this.#stride;
    for (let i = 0; i < length; i++) {
      if (this.#epcs[at + i] !== bytes[start + i]) return false;
    }
    return true;
  }

  #place(tag: number): void {
    const mask = this.#slots.length - 1;
    let slot = (this.#hashes[tag] as number) & mask;
    while (this.#slots[slot] !== NONE) slot = (slot + 1) & mask;
    this.#slots[slot] = tag;
  }

  #growTags(): void {
    const tags = this.#hashes.length * 2;
    this.#hashes = larger(this.#hashes, new Uint32Array(tags));
    this.#lengths = larger(this.#lengths, new Uint8Array(tags));
    this.#first = larger(this.#first, new Int32Array(tags));
    this.#epcs = larger(this.#epcs, new Uint8Array(tags * this.#stride));
    this.#slots = new Int32Array(tags * SLOTS_PER_TAG).fill(NONE);
    for (let tag = 0; tag < this.tags; tag++) this.#place(tag);
  }

  #widen(length: number): void {
    const stride = length <= 32 ? 32 : LONGEST_EPC + 2;
    const epcs = new Uint8Array(this.#hashes.length * stride);
    for (let tag = 0; tag < this.tags; tag++) {
      const from = tag * this.#stride;
      epcs.set(this.#epcs.subarray(from, from + this.#stride), tag * stride);
    }
    this.#epcs = epcs;
    this.#stride = stride;
  }

  #growSightings(): void {
    const count = this.place.length * 2;
    this.place = larger(this.place, new Uint32Array(count));
    this.next = larger(this.next, new Int32Array(count));
    this.reportedMs = larger(this.reportedMs, new Float64Array(count));
    this.seenCount = larger(this.seenCount, new Uint32Array(count));
    this.waitsAt = larger(this.waitsAt, new Int32Array(count));
    this.waitsIn = larger(this.waitsIn, new Uint32Array(count));
  }
}

/** FNV-1a with a final mix, so that the low bits depend on all bytes. */
export function hashOf(bytes: Uint8Array, start: number, length: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < length; i++) {
    hash = Math.imul(hash ^ (bytes[start + i] as number), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Port and beam of a record. */
export function placeOf(record: Buffer, offset: number): number {
  const beam =
    (record[offset + RECORD.beam] as number) | ((record[offset + RECORD.beam + 1] as number) << 8);
  return (beam << 8) | (record[offset + RECORD.antenna] as number);
}

type Numbers = Uint8Array | Uint32Array | Int32Array | Float64Array;

function larger<T extends Numbers>(from: T, to: T): T {
  to.set(from as never);
  return to;
}
