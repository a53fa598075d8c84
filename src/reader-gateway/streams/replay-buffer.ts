/**
 * The last events of the reader as bytes, for everybody who reads along. A reader is nothing
 * but the number of the event it had last, so there is no queue for each of them.
 *
 * Events lie one after the other in blocks, each ended by a line feed. A run of them goes out as
 * a view of its block, without work for each event. What was handed out is never written again.
 */
import { digitsOf, type SplitEvent, writeNumber } from '../delivery/event-bytes.js';

export interface ReplayBounds {
  /** Most events that are kept. */
  maxEvents: number;
  /** Most bytes of text that are kept, with the line feeds. */
  maxBytes: number;
}

/** Events that follow each other. */
export interface EventRun {
  /** Number of the first. */
  first: number;
  /** Number of the last. */
  last: number;
  /** One line of JSON for each. */
  bytes: Buffer;
}

interface Block {
  readonly bytes: Buffer;
  /** Number of its first event. */
  readonly first: number;
  used: number;
  /** True once a view of it was handed out: it may lie in a socket for long. */
  lent: boolean;
}

/** Also the most that goes out at a time, but for a longer event. */
const BLOCK_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;

export class ReplayBuffer {
  readonly #bounds: ReplayBounds;
  /** Where events end in their blocks, also the one before the oldest, and the one too many. */
  readonly #ends: Uint32Array;
  readonly #blocks: Block[] = [];
  /** A block that nobody looks at any more. */
  #spare: Buffer | undefined;
  #first: number;
  #last: number;
  #bytes = 0;

  /** @param first Number that the first event gets. */
  constructor(bounds: ReplayBounds, first = 1) {
    this.#bounds = bounds;
    this.#first = first;
    this.#last = first - 1;
    this.#ends = new Uint32Array(bounds.maxEvents + 2);
  }

  /** Number of the oldest event it holds; one more than `last` if it holds none. */
  get first(): number {
    return this.#first;
  }

  /** Number of the newest event; one less than that of the first if there was none yet. */
  get last(): number {
    return this.#last;
  }

  /** Bytes of all events it holds. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Forgets all events. @param first Number that the next one gets. */
  restart(first: number): void {
    this.#blocks.length = 0;
    this.#bytes = 0;
    this.#first = first;
    this.#last = first - 1;
  }

  /** Gives the event the next number. @returns Its length in bytes. */
  push({ head, tail }: SplitEvent): number {
    const number = this.#last + 1;
    const written = head.length + digitsOf(number) + tail.length + 1;
    const block = this.#blockFor(written, number);
    const { bytes } = block;
    bytes.set(head, block.used);
    const end = writeNumber(bytes, block.used + head.length, number);
    bytes.set(tail, end);
    block.used += written;
    bytes[block.used - 1] = LINE_FEED;
    this.#last = number;
    this.#ends[number % this.#ends.length] = block.used;
    this.#bytes += written;
    while (
      this.#last - this.#first >= this.#bounds.maxEvents ||
      this.#bytes > this.#bounds.maxBytes
    ) {
      this.#forgetOldest();
    }
    return written;
  }

  /**
   * Events after a number, as many as lie together; undefined if there is none yet.
   * @param after At least `first` - 1: events before that are gone.
   */
  read(after: number): EventRun | undefined {
    if (after >= this.#last) return undefined;
    const number = after + 1;
    // Most readers are near the newest event.
    let index = this.#blocks.length - 1;
    while ((this.#blocks[index] as Block).first > number) index--;
    const block = this.#blocks[index] as Block;
    const next = this.#blocks[index + 1];
    block.lent = true;
    return {
      first: number,
      last: next === undefined ? this.#last : next.first - 1,
      bytes: block.bytes.subarray(this.#start(block, number), block.used),
    };
  }

  #blockFor(needed: number, number: number): Block {
    const block = this.#blocks.at(-1);
    if (block !== undefined && block.bytes.length - block.used >= needed) return block;
    const fresh = { bytes: this.#memory(needed), first: number, used: 0, lent: false };
    this.#blocks.push(fresh);
    return fresh;
  }

  #memory(needed: number): Buffer {
    if (needed > BLOCK_BYTES) return Buffer.allocUnsafeSlow(needed);
    const spare = this.#spare ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
    this.#spare = undefined;
    return spare;
  }

  #forgetOldest(): void {
    const block = this.#blocks[0] as Block;
    this.#bytes -= this.#end(this.#first) - this.#start(block, this.#first);
    this.#first++;
    const next = this.#blocks[1];
    if (this.#first < (next === undefined ? this.#last + 1 : next.first)) return;
    this.#blocks.shift();
    // While nobody reads along, the same blocks go round.
    if (!block.lent && block.bytes.length === BLOCK_BYTES) this.#spare = block.bytes;
  }

  #start(block: Block, number: number): number {
    return number === block.first ? 0 : this.#end(number - 1);
  }

  #end(number: number): number {
    return this.#ends[number % this.#ends.length] as number;
  }
}
