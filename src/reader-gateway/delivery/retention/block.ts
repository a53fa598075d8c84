/**
 * Some hundred events as bytes, each followed by a separator, so that a batch is a slice.
 * A full block that nobody reads yet is packed: events differ little, deflate leaves a tenth.
 */
import { deflateRaw, inflateRawSync } from 'node:zlib';
import { digitsOf, writeNumber } from '../event-bytes.js';

/** Room of a block; an event that is larger gets a block of its own. */
export const BLOCK_BYTES = 64 * 1024;
/** Most events of a block: those of an ordinary block are fewer. */
const MAX_EVENTS = 1024;

export interface BlockMeta {
  /** Number of the first event; the others follow without gaps. */
  firstNum: number;
  count: number;
  /** Milliseconds since the epoch. */
  firstAtMs: number;
  lastAtMs: number;
  /** Of all events and separators. */
  rawBytes: number;
}

/** Where the packed bytes of a block are when they are not in memory. */
export interface PackedStore {
  read(): Buffer;
}

/**
 * Memory of blocks that are done with, for new ones: a flood takes thousands of them a second. As
 * much as is on the way of a full window and comes back at once; what V8 allocates again each time
 * keeps its collector marking.
 */
const spare: Contents[] = [];
const MOST_SPARE = 128;

/** For each event where it ends and when it came, milliseconds after the first. */
interface Contents {
  data: Buffer;
  ends: Uint32Array;
  delays: Uint32Array;
}

export class EventBlock {
  readonly meta: BlockMeta;
  /** Index of the first event that was not taken. */
  next = 0;
  /** undefined: only the packed form is there. */
  #contents: Contents | undefined;
  #packed: Buffer | PackedStore | undefined;
  #closed = false;
  /** Events that have arrived, or were given up. */
  #released = 0;

  private constructor(meta: BlockMeta, contents: Contents | undefined) {
    this.meta = meta;
    this.#contents = contents;
  }

  /** @param bytes Of the first event with its separator. */
  static open(firstNum: number, atMs: number, bytes: number): EventBlock {
    const meta = { firstNum, count: 0, firstAtMs: atMs, lastAtMs: atMs, rawBytes: 0 };
    const used = bytes <= BLOCK_BYTES ? spare.pop() : undefined;
    return new EventBlock(meta, used ?? newContents(Math.max(BLOCK_BYTES, bytes)));
  }

  /** A block that was packed before. */
  static packed(meta: BlockMeta, store: PackedStore): EventBlock {
    const block = new EventBlock(meta, undefined);
    block.#packed = store;
    block.#closed = true;
    return block;
  }

  /**
   * So many events have arrived, or were given up: nobody looks at them, or at slices of them,
   * any more. @returns true if none is left.
   */
  release(events: number): boolean {
    this.#released += events;
    if (this.#released < this.meta.count || !this.#closed) return false;
    const contents = this.#contents;
    if (contents?.data.length === BLOCK_BYTES && spare.length < MOST_SPARE) {
      spare.push(contents);
      this.#contents = undefined;
    }
    return true;
  }

  /** Events that were not taken. */
  get size(): number {
    return this.meta.count - this.next;
  }

  /** Bytes in memory. */
  get memoryBytes(): number {
    const packed = Buffer.isBuffer(this.#packed) ? this.#packed.length : 0;
    const contents = this.#contents;
    return packed + (contents === undefined ? 0 : contents.data.length + 8 * contents.ends.length);
  }

  /**
   * @param tail What follows the number; undefined = the head is the whole event.
   * @returns false if it has no room, or the number is not the one that follows.
   */
  append(
    num: number,
    head: Uint8Array,
    tail: Uint8Array | undefined,
    separator: number,
    atMs: number,
  ): boolean {
    const { meta } = this;
    const contents = this.#contents;
    if (this.#closed || contents === undefined || num !== meta.firstNum + meta.count) return false;
    const { data, ends, delays } = contents;
    let end = meta.rawBytes;
    const bytes = tail === undefined ? head.length : head.length + digitsOf(num) + tail.length;
    if (meta.count === MAX_EVENTS || bytes + 1 > data.length - end) return false;
    data.set(head, end);
    end += head.length;
    if (tail !== undefined) {
      end = writeNumber(data, end, num);
      data.set(tail, end);
      end += tail.length;
    }
    data[end] = separator;
    ends[meta.count] = end + 1;
    delays[meta.count] = Math.max(0, atMs - meta.firstAtMs);
    meta.rawBytes = end + 1;
    meta.lastAtMs = atMs;
    meta.count++;
    return true;
  }

  /** Events from index `from` up to but not including `to`, each with its separator. */
  slice(from: number, to: number): Buffer {
    const { data, ends } = this.#unpacked();
    return data.subarray(from === 0 ? 0 : ends[from - 1], ends[to - 1]);
  }

  /** Bytes of the events of these indices, separators included. */
  bytesOf(from: number, to: number): number {
    if (from === to) return 0;
    if (from === 0 && to === this.meta.count) return this.meta.rawBytes;
    const { ends } = this.#unpacked();
    return (ends[to - 1] as number) - (from === 0 ? 0 : (ends[from - 1] as number));
  }

  atMsOf(index: number): number {
    if (index === 0) return this.meta.firstAtMs;
    if (index === this.meta.count - 1) return this.meta.lastAtMs;
    return this.meta.firstAtMs + (this.#unpacked().delays[index] as number);
  }

  /** Nothing is added any more. */
  close(): void {
    this.#closed = true;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  get isPacked(): boolean {
    return this.#packed !== undefined;
  }

  /** Packs a closed block beside the event loop. @param done Gets the packed bytes. */
  pack(done: (packed: Buffer) => void): void {
    const contents = this.#contents;
    if (contents === undefined) return;
    const { count, rawBytes } = this.meta;
    const table = (values: Uint32Array) => Buffer.from(values.buffer, 0, 4 * count);
    const whole = Buffer.concat([
      table(contents.ends),
      table(contents.delays),
      contents.data.subarray(0, rawBytes),
    ]);
    deflateRaw(whole, { level: 1 }, (error, packed) => {
      if (error !== null) return;
      this.#packed = packed;
      this.#contents = undefined;
      done(packed);
    });
  }

  /** The packed bytes are somewhere else now. */
  moveTo(store: PackedStore): void {
    this.#packed = store;
  }

  /** False if its bytes were elsewhere and cannot be read from there any more. */
  isReadable(): boolean {
    try {
      this.#unpacked();
      return true;
    } catch {
      return false;
    }
  }

  // Once unpacked it stays so: it is at its turn.
  #unpacked(): Contents {
    if (this.#contents !== undefined) return this.#contents;
    const packed = Buffer.isBuffer(this.#packed) ? this.#packed : this.#packed?.read();
    if (packed === undefined) throw new Error('a block without bytes');
    const whole = inflateRawSync(packed);
    const { count } = this.meta;
    const table = (index: number) => {
      const bytes = whole.subarray(4 * count * index, 4 * count * (index + 1));
      return new Uint32Array(Uint8Array.from(bytes).buffer);
    };
    this.#contents = { ends: table(0), delays: table(1), data: whole.subarray(8 * count) };
    return this.#contents;
  }
}

function newContents(bytes: number): Contents {
  return {
    data: Buffer.allocUnsafeSlow(bytes),
    ends: new Uint32Array(MAX_EVENTS),
    delays: new Uint32Array(MAX_EVENTS),
  };
}
