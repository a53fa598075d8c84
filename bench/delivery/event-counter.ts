/** Counts the tag events in received bytes, whatever is around them: brackets, lines, frames. */

const MARKER = Buffer.from('"eventNum":');
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
/** A run that has lost events ends by silence, not by its count. */
const SILENCE_MS = 3000;
const NOTHING = Buffer.alloc(0);

export class EventCounter {
  /** Different events. */
  received = 0;
  /** Of those: came after one with a higher number. */
  late = 0;
  repeated = 0;
  bytes = 0;
  #highest = 0;
  /** Numbers that were left out. */
  readonly #gaps = new Set<number>();
  #inFirstChunk = 0;
  #firstMs = 0;
  #lastMs = 0;
  /** Bytes of an event that was cut at the end of a chunk. */
  #rest: Buffer = NOTHING;
  /** From one event to the next: mostly it is the same again, and nothing has to be searched. */
  #spacing = 0;
  #wanted = Number.POSITIVE_INFINITY;
  #reached: () => void = () => {};

  /** @param numbered False for a floor, which sends the same events again and again. */
  constructor(readonly numbered = true) {}

  /** The number of the last event. */
  get highest(): number {
    return this.#highest;
  }

  /** A new run; the numbers go on. */
  begin(): void {
    this.received = 0;
    this.late = 0;
    this.repeated = 0;
    this.#gaps.clear();
    this.bytes = 0;
    this.#inFirstChunk = 0;
    this.#rest = NOTHING;
  }

  /** Resolves when so many events are there, or when none comes any more. */
  async until(events: number): Promise<void> {
    if (this.received >= events) return;
    this.#wanted = events;
    let last = -1;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#reached = resolve;
      timer = setInterval(() => {
        if (this.received === last) resolve();
        last = this.received;
      }, SILENCE_MS);
    });
    clearInterval(timer);
    this.#wanted = Number.POSITIVE_INFINITY;
  }

  /** From the first event to the last. What came with the first one took no time that is known. */
  get perSecond(): number {
    const later = this.received - this.#inFirstChunk;
    return later > 0 ? later / ((this.#lastMs - this.#firstMs) / 1000) : Number.NaN;
  }

  take(chunk: Buffer): void {
    const before = this.received;
    this.bytes += chunk.length;
    this.#scan(this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]));
    if (this.received === before) return;
    this.#lastMs = performance.now();
    if (before === 0) {
      this.#firstMs = this.#lastMs;
      this.#inFirstChunk = this.received;
    }
    if (this.received >= this.#wanted) this.#reached();
  }

  #scan(data: Buffer): void {
    let from = 0;
    let previous = -1;
    for (;;) {
      const at = this.#find(data, previous, from);
      if (at < 0) break;
      let end = at + MARKER.length;
      let num = 0;
      while (end < data.length && isDigit(data[end] as number)) {
        num = num * 10 + (data[end++] as number) - DIGIT_0;
      }
      if (end === data.length) {
        // The number may go on in the next chunk.
        this.#rest = Buffer.from(data.subarray(at));
        return;
      }
      this.#count(num);
      if (previous >= 0) this.#spacing = at - previous;
      previous = at;
      from = end;
    }
    this.#rest = Buffer.from(data.subarray(Math.max(from, data.length - MARKER.length + 1)));
  }

  #find(data: Buffer, previous: number, from: number): number {
    const guess = previous + this.#spacing;
    if (previous >= 0 && guess >= from && isMarker(data, guess)) return guess;
    return data.indexOf(MARKER, from);
  }

  #count(num: number): void {
    if (this.numbered && num <= this.#highest) {
      if (!this.#gaps.delete(num)) {
        this.repeated++;
        return;
      }
      this.late++;
    } else {
      // The first of a run may have any number.
      const from = this.received === 0 ? num : this.#highest + 1;
      for (let gap = from; gap < num && this.numbered; gap++) this.#gaps.add(gap);
      this.#highest = num;
    }
    this.received++;
  }
}

function isDigit(byte: number): boolean {
  return byte >= DIGIT_0 && byte <= DIGIT_9;
}

function isMarker(data: Buffer, at: number): boolean {
  if (at + MARKER.length > data.length) return false;
  for (let i = 0; i < MARKER.length; i++) {
    if (data[at + i] !== MARKER[i]) return false;
  }
  return true;
}
