/**
 * What a stream wants of the reports: which of them, and which of their fields. Works on encoded
 * reads, and once for all streams that want the same.
 */
import { type IdFilterSettings, passesId } from './id-filter.js';
import { endOfField, putVarint, varintAt } from './read-bytes.js';
import type { LoggedRun } from './read-log.js';

export interface ReadFilterSettings {
  /** Ports; empty = all. */
  antennas: readonly number[];
  minRssiCdbm: number | undefined;
  id: IdFilterSettings | undefined;
}

export interface ViewSettings {
  /** undefined: every report. */
  filter: ReadFilterSettings | undefined;
  /** Field numbers of TagRead; empty = all. */
  fields: readonly number[];
}

export interface ViewedRun {
  bytes: Buffer;
  /** Reports that passed. */
  count: number;
  /** Sequence number of the first of them; undefined without any. */
  firstSequence: number | undefined;
}

const READS_KEY = (3 << 3) | 2;
const EPC = 2;
const ANTENNA = 3;
const RSSI = 4;
const SEQUENCE_KEY = (15 << 3) | 0;
/** Longest length and sequence number of a read, with their keys. */
const MOST_ADDED = 4 + 9;

export class ReadView {
  readonly #filter: ReadFilterSettings | undefined;
  /** By field number; undefined: all. */
  readonly #wanted: readonly boolean[] | undefined;
  /** Of whole runs: they are the same for all streams. */
  readonly #made = new WeakMap<LoggedRun, ViewedRun>();

  constructor({ filter, fields }: ViewSettings) {
    this.#filter = filter;
    if (fields.length > 0) {
      const wanted: boolean[] = [];
      for (const field of fields) wanted[field] = true;
      this.#wanted = wanted;
    }
  }

  get filters(): boolean {
    return this.#filter !== undefined;
  }

  of(run: LoggedRun): ViewedRun {
    let viewed = this.#made.get(run);
    if (viewed === undefined) {
      viewed = this.#make(run);
      this.#made.set(run, viewed);
    }
    return viewed;
  }

  #make({ bytes, count, firstSequence }: LoggedRun): ViewedRun {
    const to = Buffer.allocUnsafe(bytes.length + count * MOST_ADDED);
    let length = 0;
    let passed = 0;
    let first: number | undefined;
    for (let at = 0, sequence = firstSequence; at < bytes.length; sequence++) {
      const head = varintAt(bytes, at + 1);
      const end = head.end + head.value;
      if (this.#filter === undefined || passes(this.#filter, bytes, head.end, end)) {
        length = this.#put(to, length, bytes, head.end, end, sequence);
        first ??= sequence;
        passed++;
      }
      at = end;
    }
    return { bytes: to.subarray(0, length), count: passed, firstSequence: first };
  }

  /** Writes a read with the fields that are wanted. @returns After it. */
  #put(to: Buffer, at: number, from: Buffer, start: number, end: number, sequence: number): number {
    // After where its length may end; it moves when the length is known.
    const body = at + 4;
    let next = body;
    if (this.#wanted === undefined) {
      next += from.copy(to, next, start, end);
    } else {
      for (let field = start; field < end; ) {
        const after = endOfField(from, field);
        if (this.#wanted[(from[field] as number) >> 3]) {
          next += from.copy(to, next, field, after);
        }
        field = after;
      }
    }
    if (this.filters) {
      to[next++] = SEQUENCE_KEY;
      next = putVarint(to, next, sequence);
    }
    to[at] = READS_KEY;
    const behindLength = putVarint(to, at + 1, next - body);
    to.copyWithin(behindLength, body, next);
    return behindLength + next - body;
  }
}

function passes(
  { antennas, minRssiCdbm, id }: ReadFilterSettings,
  bytes: Buffer,
  start: number,
  end: number,
): boolean {
  let antenna = 0;
  let rssi = 0;
  let epc = '';
  for (let at = start; at < end; ) {
    const after = endOfField(bytes, at);
    const field = (bytes[at] as number) >> 3;
    if (field === ANTENNA) antenna = varintAt(bytes, at + 1).value;
    else if (field === RSSI) rssi = fromZigzag(varintAt(bytes, at + 1).value);
    else if (field === EPC && id !== undefined) {
      epc = bytes.toString('hex', varintAt(bytes, at + 1).end, after);
    }
    at = after;
  }
  if (antennas.length > 0 && !antennas.includes(antenna)) return false;
  if (minRssiCdbm !== undefined && rssi < minRssiCdbm) return false;
  return id === undefined || passesId(id, epc);
}

function fromZigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}
