/** The event numbers of one endpoint, or of all streams: they go on over restarts. */
import type { Span } from '../retention/ring.js';

/** Numbers that are used, and of which the client does not know yet what became of them. */
export interface Holdings {
  /** Events that wait or are on the way. */
  events: Iterable<Span>;
  /** Losses that are counted, and not reported yet. */
  losses: Iterable<Span>;
}

/** What those who held the numbers before have left. */
export interface Left {
  /** Events that are not known to have arrived, not counted as dropped yet. */
  events: Span[];
  /**
   * Losses that are counted, and not known to have been reported. A `count` of 0: numbers that may never
   * have been used.
   */
  losses: Span[];
  /**
   * After a kill or a loss of power, numbers that may have been used; nobody knows how many of them
   * were, or what became of their events. `count` is 0.
   */
  unsure: Span | undefined;
}

/** Where the numbers are kept. */
export interface NumberKeeper {
  /** Something has changed; it is written soon. */
  later(): void;
  /**
   * All that is promised is used. Promises more, or, if that cannot be written, lets the numbers
   * begin again far above.
   */
  need(numbers: EventNumbers): void;
  /** Writes them now, if that can be done. */
  write(numbers: EventNumbers): void;
  /** Numbers get scarce that a loss of power does not bring back. */
  reserve(): void;
}

/** A holder of numbers, as long as the ledger counts with what it holds. */
export interface Hold {
  /** It holds exactly this from now on, and until somebody takes it over. */
  freeze(holdings: Holdings): void;
  /** Somebody else holds all of it now. */
  end(): void;
}

const NOWHERE: NumberKeeper = { later() {}, need() {}, write() {}, reserve() {} };

/**
 * Numbers that a record counts as used beyond those that are: so many times those since the record
 * before, and at least so many. Within them events leave without another write.
 */
const AHEAD = 2;
const LEAST_AHEAD = 16;

/** What a record says of them. */
export interface Written {
  next: number;
  /** No number from here on is used before the next record. */
  promised: number;
  events: Span[];
  losses: Span[];
}

interface Holder {
  ask: () => Holdings;
  skipped: (span: Span) => void;
  frozen: boolean;
}

export class EventNumbers {
  readonly #keeper: NumberKeeper;
  readonly #holders = new Set<Holder>();
  #left: Left;
  #next: number;
  /** The next number when all this was written last. */
  #written: number;
  /** All numbers before it are written as used; infinite while they cannot be written. */
  #promised: number;
  /** What a record that is being written says of these two. */
  #draft = { next: 1, promised: Number.POSITIVE_INFINITY };
  #limit = Number.POSITIVE_INFINITY;
  #changed = false;
  /** An event waits for a number that is not promised. */
  #needs = false;

  /** Without a keeper the numbers live as long as the process. @param next The first that is free. */
  constructor(keeper: NumberKeeper = NOWHERE, next = 1, left: Partial<Left> = {}) {
    this.#keeper = keeper;
    this.#next = next;
    this.#written = next;
    this.#promised = keeper === NOWHERE ? Number.POSITIVE_INFINITY : next;
    this.#left = { events: [], losses: [], unsure: undefined, ...left };
  }

  /** The number that the next event gets. */
  get next(): number {
    return this.#next;
  }

  /**
   * The next number, for an event. It is never given again, whatever becomes of this process.
   * @returns Mostly `next`; more if the file cannot be written: those between are not used.
   */
  take(): number {
    // Both may write a record, which must not count the number as used: nobody holds its event yet.
    if (this.#next >= this.#limit) {
      this.#limit = Number.POSITIVE_INFINITY;
      this.#keeper.reserve();
    }
    if (this.#next >= this.#promised) this.#need();
    if (!this.#changed) this.changed();
    return this.#next++;
  }

  /** Numbers below are used, whatever is known of them. */
  atLeast(next: number): void {
    if (next <= this.#next) return;
    this.#next = next;
    this.#written = next;
    if (next > this.#promised) this.#need();
    this.changed();
  }

  /** What is held has changed, and the next process has to know. */
  write(): void {
    this.#keeper.write(this);
  }

  #need(): void {
    this.#needs = true;
    this.#keeper.need(this);
    this.#needs = false;
  }

  /** Events have arrived, or what is held has changed in another way. */
  changed(): void {
    if (this.#changed) return;
    this.#changed = true;
    this.#keeper.later();
  }

  /**
   * @param ask What it holds now.
   * @param skipped Numbers are not used, and none of them will be: to be reported before the next event.
   *   The holder that came last is asked to.
   */
  hold(ask: () => Holdings, skipped: (span: Span) => void): Hold {
    const holder: Holder = { ask, skipped, frozen: false };
    this.#holders.add(holder);
    return {
      freeze: ({ events, losses }) => {
        const held = { events: [...events], losses: [...losses] };
        holder.ask = () => held;
        holder.frozen = true;
        this.changed();
      },
      end: () => {
        this.#holders.delete(holder);
        this.changed();
      },
    };
  }

  /** What is left of holders that are gone; who takes it holds it from now on. */
  takeLeft(): Left {
    const left = this.#left;
    this.#left = { events: [], losses: [], unsure: undefined };
    for (const holder of this.#holders) {
      if (!holder.frozen) continue;
      const { events, losses } = holder.ask();
      left.events.push(...events);
      left.losses.push(...losses);
      this.#holders.delete(holder);
    }
    return left;
  }

  // For the ledger.

  get isChanged(): boolean {
    return this.#changed;
  }

  /** @param limit From this number on the keeper is asked to reserve more. */
  reserved(limit: number): void {
    this.#limit = limit;
    if (this.#next <= limit) return;
    this.#limit = Number.POSITIVE_INFINITY;
    this.#keeper.reserve();
  }

  /** It cannot be written that numbers are used: they go on here, until it can. */
  startAbove(next: number, nowMs: number): void {
    const [firstNum, lastNum] = [this.#next, next - 1];
    const skipped = { count: 0, firstNum, lastNum, firstAtMs: nowMs, lastAtMs: nowMs };
    this.#next = next;
    this.#written = next;
    this.#promised = Number.POSITIVE_INFINITY;
    this.#draft = { next, promised: Number.POSITIVE_INFINITY };
    const holder = [...this.#holders].reverse().find(({ frozen }) => !frozen);
    if (holder === undefined) this.#left.losses.push(skipped);
    else holder.skipped(skipped);
    this.changed();
  }

  /**
   * All that is to be written. While numbers are used it counts some that
   * follow as used; a record that is written soon after the last one is exact.
   * kept() or notKept() comes next.
   * @param isLast Nothing is used afterwards.
   * @param limit From here on no number may count as used.
   */
  written(isLast: boolean, limit: number): Written {
    const used = this.#next - this.#written;
    const isExact = isLast || (used === 0 && !this.#needs);
    const ahead = isExact ? 0 : Math.max(LEAST_AHEAD, AHEAD * used);
    const promised = Math.max(this.#next, Math.min(this.#next + ahead, limit));
    this.#draft = { next: this.#next, promised };
    const { unsure } = this.#left;
    const events = [...this.#left.events];
    const losses = [...this.#left.losses];
    if (unsure !== undefined) losses.push(unsure);
    for (const { ask } of this.#holders) {
      const held = ask();
      for (const span of held.events) events.push(span);
      for (const span of held.losses) losses.push(span);
    }
    return { next: this.#next, promised, events, losses };
  }

  /** Perhaps a part of it was written: what it does not promise counts as not promised. */
  notKept(): void {
    this.#promised = Math.min(this.#promised, this.#draft.promised);
    this.changed();
  }

  kept(): void {
    const { next, promised } = this.#draft;
    this.#promised = promised;
    this.#written = next;
    this.#changed = false;
    if (promised > next) this.changed();
  }
}
