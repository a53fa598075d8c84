/** Events that wait for their endpoint, oldest first, as blocks of bytes. */
import { digitsOf, type SplitEvent } from '../event-bytes.js';
import { EventBlock } from './block.js';

/** Some of the events of a block, by their indices. */
export interface Part {
  block: EventBlock;
  from: number;
  to: number;
}

/** Numbers and times of a run of events. */
export interface Span {
  count: number;
  firstNum: number;
  lastNum: number;
  firstAtMs: number;
  lastAtMs: number;
  /** Of a loss: an event that tells it was sent once, and may have arrived. */
  reported?: boolean;
}

/** Events that were taken, in their order. */
export interface Run extends Span {
  parts: Part[];
  /** Separators included. */
  bytes: number;
}

export interface WaitingEvent {
  num: number;
  /** With its number, without a separator. */
  bytes: Uint8Array;
  /** When it was queued, milliseconds since the epoch. */
  atMs: number;
}

/** Blocks at the end that are taken from or added to soon; those between them are packed. */
const UNPACKED_BYTES = 1_000_000;

/** Takes blocks that were packed, and keeps their bytes elsewhere. */
export interface BlockKeeper {
  keep(block: EventBlock, packed: Buffer): void;
  /** The block is not needed any more. */
  release(block: EventBlock): void;
}

export class EventRing {
  readonly #separator: number;
  readonly #keeper: BlockKeeper | undefined;
  readonly #onUnreadable: (span: Span) => void;
  #blocks: EventBlock[] = [];
  #size = 0;
  #bytes = 0;
  #packing = false;

  /**
   * @param separator The byte after each event.
   * @param onUnreadable Told of events that are forgotten since they cannot be read again.
   */
  constructor(separator: ',' | '\n', keeper?: BlockKeeper, onUnreadable = (_span: Span) => {}) {
    this.#separator = separator.charCodeAt(0);
    this.#keeper = keeper;
    this.#onUnreadable = onUnreadable;
  }

  /** Events. */
  get size(): number {
    return this.#size;
  }

  /** Bytes of all events with their separators, unpacked. */
  get bytes(): number {
    return this.#bytes;
  }

  /** What it holds in memory, packed blocks as they are. */
  get memoryBytes(): number {
    return this.#blocks.reduce((sum, block) => sum + block.memoryBytes, 0);
  }

  get oldestAtMs(): number | undefined {
    const block = this.#first();
    if (block === undefined || block.next === 0) return block?.meta.firstAtMs;
    return block.isReadable() ? block.atMsOf(block.next) : block.meta.firstAtMs;
  }

  /** From the oldest event to the newest. */
  get span(): Span | undefined {
    const [first, last] = [this.#first(), this.#blocks[this.#blocks.length - 1]];
    if (first === undefined || last === undefined) return undefined;
    return {
      count: this.#size,
      firstNum: first.meta.firstNum + first.next,
      lastNum: last.meta.firstNum + last.meta.count - 1,
      firstAtMs: this.oldestAtMs ?? first.meta.firstAtMs,
      lastAtMs: last.meta.lastAtMs,
    };
  }

  /** @returns true if it took a new block. */
  push(num: number, { head, tail }: SplitEvent, atMs: number): boolean {
    return this.#push(num, head, tail, atMs);
  }

  /** As push(), of an event that has its number already. */
  pushWhole(num: number, event: Uint8Array, atMs: number): boolean {
    return this.#push(num, event, undefined, atMs);
  }

  #push(num: number, head: Uint8Array, tail: Uint8Array | undefined, atMs: number): boolean {
    let block = this.#blocks[this.#blocks.length - 1];
    const before = block?.meta.rawBytes ?? 0;
    let isNew = false;
    if (block === undefined || !block.append(num, head, tail, this.#separator, atMs)) {
      isNew = true;
      block?.close();
      block = EventBlock.open(num, atMs, eventBytes(num, head, tail) + 1);
      block.append(num, head, tail, this.#separator, atMs);
      this.#blocks.push(block);
      this.#discardTaken();
      this.#pack();
    }
    this.#size++;
    this.#bytes += block.meta.rawBytes - (isNew ? 0 : before);
    return isNew;
  }

  /**
   * Takes at most so many events and bytes (of events with their separators), but at least one
   * event. @returns undefined if there is none.
   */
  take(maxEvents: number, maxBytes: number): Run | undefined {
    const parts: Part[] = [];
    let count = 0;
    let bytes = 0;
    while (count < maxEvents) {
      const block = this.#first();
      if (block === undefined) break;
      if (!block.isReadable()) {
        this.#forgetUnreadable(block);
        continue;
      }
      const from = block.next;
      let to = Math.min(block.meta.count, from + maxEvents - count);
      let size = block.bytesOf(from, to);
      if (bytes + size > maxBytes) {
        [to, size] = fitting(block, from, to, maxBytes - bytes, count === 0);
        if (to === from) break;
      }
      parts.push({ block, from, to });
      block.next = to;
      count += to - from;
      bytes += size;
      if (to < block.meta.count) break;
      this.#discardTaken();
    }
    if (count === 0) return undefined;
    this.#size -= count;
    this.#bytes -= bytes;
    const { firstNum, lastNum, firstAtMs, lastAtMs } = spanOf(parts);
    return { count, firstNum, lastNum, firstAtMs, lastAtMs, parts, bytes };
  }

  /** Forgets the oldest events. @returns Which; undefined if there were none. */
  drop(count: number): Span | undefined {
    const parts: Part[] = [];
    let left = Math.min(count, this.#size);
    while (left > 0) {
      const block = this.#first();
      if (block === undefined) break;
      const from = block.next;
      const to = Math.min(block.meta.count, from + left);
      const isPart = from > 0 || to < block.meta.count;
      if (isPart && !block.isReadable()) {
        left -= Math.min(left, block.size);
        this.#forgetUnreadable(block);
        continue;
      }
      this.#bytes -= block.bytesOf(from, to);
      parts.push({ block, from, to });
      block.next = to;
      left -= to - from;
      this.#size -= to - from;
      this.#discardTaken();
    }
    if (parts.length === 0) return undefined;
    const span = spanOf(parts);
    this.release(parts);
    return span;
  }

  /** Of events that were taken: they have arrived, or are given up. */
  release(parts: readonly Part[]): void {
    for (const { block, from, to } of parts) {
      if (block.release(to - from)) this.#keeper?.release(block);
    }
  }

  /** Forgets the oldest block. */
  dropBlock(): Span | undefined {
    return this.drop(this.#first()?.size ?? 0);
  }

  /** Forgets events that came before. */
  dropOlder(limitMs: number): Span | undefined {
    let count = 0;
    for (const block of this.#blocks) {
      if (block.size === 0) continue;
      if (block.meta.lastAtMs < limitMs) {
        count += block.size;
        continue;
      }
      if (block.meta.firstAtMs < limitMs && block.isReadable()) {
        let index = block.next;
        while (index < block.meta.count && block.atMsOf(index) < limitMs) index++;
        count += index - block.next;
      }
      break;
    }
    return count === 0 ? undefined : this.drop(count);
  }

  /** Puts all events of another ring after these, and leaves that one empty. */
  append(other: EventRing): void {
    for (const block of this.#blocks) block.close();
    for (const block of other.#blocks) if (block.size > 0) this.#blocks.push(block);
    this.#discardTaken();
    this.#size += other.#size;
    this.#bytes += other.#bytes;
    other.#blocks = [];
    other.#size = 0;
    other.#bytes = 0;
    this.#pack();
  }

  /** A block that a keeper brought back; it goes after all others. */
  appendBlock(block: EventBlock): void {
    // What a crash left of a block that was partly sent must be read to know how much it is.
    if (block.next > 0 && !block.isReadable()) {
      this.#onUnreadable(restOf(block));
      return;
    }
    this.#blocks.push(block);
    this.#discardTaken();
    this.#size += block.size;
    this.#bytes += block.bytesOf(block.next, block.meta.count);
  }

  /** With a keeper: hands over all blocks, the one that is being filled as well. */
  keepAll(): void {
    this.#blocks[this.#blocks.length - 1]?.close();
    this.#pack();
  }

  /** Blocks that are not packed yet. */
  *unpackedBlocks(): Generator<EventBlock> {
    for (const block of this.#blocks) if (!block.isPacked && block.size > 0) yield block;
  }

  #forgetUnreadable(block: EventBlock): void {
    const span = restOf(block);
    const part = { block, from: block.next, to: block.meta.count };
    block.next = block.meta.count;
    this.#size -= span.count;
    this.#discardTaken();
    this.#bytes = 0;
    for (const one of this.#blocks) this.#bytes += one.bytesOf(one.next, one.meta.count);
    this.release([part]);
    this.#onUnreadable(span);
  }

  #first(): EventBlock | undefined {
    const block = this.#blocks[0];
    return block === undefined || block.size === 0 ? undefined : block;
  }

  /** The last block stays, there may be room in it. */
  #discardTaken(): void {
    while (this.#blocks.length > 1 && this.#blocks[0]?.size === 0) this.#blocks.shift();
  }

  /** Packs, one after the other, the blocks whose turn is far away; with a keeper all that are closed. */
  #pack(): void {
    if (this.#packing) return;
    const block = this.#nextToPack();
    if (block === undefined) return;
    this.#packing = true;
    block.pack((packed) => {
      this.#packing = false;
      if (block.size > 0) this.#keeper?.keep(block, packed);
      this.#pack();
    });
  }

  #nextToPack(): EventBlock | undefined {
    if (this.#keeper === undefined && this.#bytes < 2 * UNPACKED_BYTES) return undefined;
    let before = 0;
    for (const block of this.#blocks) {
      before += block.meta.rawBytes;
      if (!block.isClosed || block.isPacked || block.size === 0) continue;
      if (this.#keeper !== undefined || before > UNPACKED_BYTES) return block;
    }
    return undefined;
  }
}

/** How many events of a block fit; one in any case if it is the first. */
function fitting(
  block: EventBlock,
  from: number,
  limit: number,
  room: number,
  atLeastOne: boolean,
): [to: number, bytes: number] {
  let [low, high] = [from, limit];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (block.bytesOf(from, middle) <= room) low = middle;
    else high = middle - 1;
  }
  const to = low === from && atLeastOne ? from + 1 : low;
  return [to, block.bytesOf(from, to)];
}

/** What was not taken of a block, without reading it. */
function restOf({ meta, next }: EventBlock): Span {
  return {
    count: meta.count - next,
    firstNum: meta.firstNum + next,
    lastNum: meta.firstNum + meta.count - 1,
    firstAtMs: meta.firstAtMs,
    lastAtMs: meta.lastAtMs,
  };
}

function spanOf(parts: readonly Part[]): Span {
  const first = parts[0] as Part;
  const last = parts[parts.length - 1] as Part;
  return {
    count: parts.reduce((sum, { from, to }) => sum + to - from, 0),
    firstNum: first.block.meta.firstNum + first.from,
    lastNum: last.block.meta.firstNum + last.to - 1,
    firstAtMs: first.block.atMsOf(first.from),
    lastAtMs: last.block.atMsOf(last.to - 1),
  };
}

function eventBytes(num: number, head: Uint8Array, tail: Uint8Array | undefined): number {
  return tail === undefined ? head.length : head.length + digitsOf(num) + tail.length;
}

/** The events of parts, one by one. */
export function* eventsOf(parts: readonly Part[]): Generator<WaitingEvent> {
  for (const { block, from, to } of parts) {
    for (let index = from; index < to; index++) {
      const bytes = block.slice(index, index + 1).subarray(0, -1);
      yield { num: block.meta.firstNum + index, bytes, atMs: block.atMsOf(index) };
    }
  }
}
