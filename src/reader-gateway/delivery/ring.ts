/** Events that wait for their endpoint: a bounded queue that forgets the oldest. */

export interface WaitingEvent {
  /** The event as JSON. */
  json: string;
  /** Its length in UTF-8. */
  bytes: number;
  /** When it was queued, milliseconds since the epoch. */
  atMs: number;
}

const FIRST_SLOTS = 64;

export class EventRing {
  #slots: (WaitingEvent | undefined)[] = new Array(FIRST_SLOTS);
  #head = 0;
  #size = 0;
  #bytes = 0;

  /** @param capacity Most events it holds, at least 1. */
  constructor(readonly capacity: number) {}

  get size(): number {
    return this.#size;
  }

  /** UTF-8 bytes of all events together. */
  get bytes(): number {
    return this.#bytes;
  }

  oldest(): WaitingEvent | undefined {
    return this.#slots[this.#head];
  }

  /** @returns Number of events that were forgotten for it: 0 or 1. */
  push(event: WaitingEvent): number {
    const forgotten = this.#size >= this.capacity ? 1 : 0;
    if (forgotten === 1) this.shift();
    if (this.#size === this.#slots.length) this.#grow();
    this.#slots[(this.#head + this.#size) % this.#slots.length] = event;
    this.#size++;
    this.#bytes += event.bytes;
    return forgotten;
  }

  shift(): WaitingEvent | undefined {
    const event = this.#slots[this.#head];
    if (event === undefined) return undefined;
    this.#slots[this.#head] = undefined;
    this.#head = (this.#head + 1) % this.#slots.length;
    this.#size--;
    this.#bytes -= event.bytes;
    return event;
  }

  /**
   * Puts events that were taken back before all others.
   * @returns Number of them that found no room; the oldest go first.
   */
  putBack(events: readonly WaitingEvent[]): number {
    const room = Math.min(events.length, this.capacity - this.#size);
    for (let index = events.length - 1; index >= events.length - room; index--) {
      const event = events[index];
      if (event === undefined) continue;
      if (this.#size === this.#slots.length) this.#grow();
      this.#head = (this.#head - 1 + this.#slots.length) % this.#slots.length;
      this.#slots[this.#head] = event;
      this.#size++;
      this.#bytes += event.bytes;
    }
    return events.length - room;
  }

  /** Forgets everything. @returns How many events that was. */
  clear(): number {
    const size = this.#size;
    this.#slots = new Array(FIRST_SLOTS);
    this.#head = 0;
    this.#size = 0;
    this.#bytes = 0;
    return size;
  }

  // The memory for many events is taken only once they wait.
  #grow(): void {
    const slots: (WaitingEvent | undefined)[] = new Array(this.#slots.length * 2);
    for (let index = 0; index < this.#size; index++) {
      slots[index] = this.#slots[(this.#head + index) % this.#slots.length];
    }
    this.#slots = slots;
    this.#head = 0;
  }
}
