/**
 * Everybody who reads events along: each stream is a place in the one replay buffer and a
 * connection. A stream writes while its connection takes it, and waits otherwise; one whose
 * place falls out of the buffer is cut off, and told why. No stream can delay another, or the reads.
 */
import type { SplitEvent } from '../delivery/event-bytes.js';
import { EventNumbers } from '../delivery/numbers/event-numbers.js';
import type { Span } from '../delivery/retention/ring.js';
import { overflowNotice } from './notices.js';
import { type EventRun, type ReplayBounds, ReplayBuffer } from './replay-buffer.js';

/** Why a stream is ended by the reader. */
export type EndCause = 'too slow' | 'stop' | 'revoked';

/** The connection of a stream. */
export interface StreamSink {
  /** Bytes that the network has not taken yet. */
  readonly waiting: number;
  send(run: EventRun): void;
  /** An event about the stream itself, in place of the events until this number. */
  notice(json: string, eventNum: number): void;
  keepAlive(): void;
  /** Says why, and closes the connection once everything is sent. */
  end(cause: EndCause, reason: string): void;
  /** Breaks the connection. */
  destroy(): void;
}

export interface StreamCounters {
  /** Streams that are open now. */
  open: number;
  /** Events that were sent to all streams together. */
  sent: number;
  /** Streams that were cut off because they were too slow. */
  cutOff: number;
}

export interface StreamLimits extends ReplayBounds {
  /** Most streams at a time. */
  maxStreams: number;
  keepAliveMs: number;
  /** Time that a stream which was ended has to take what waits for it. */
  endMs: number;
}

const LIMITS: StreamLimits = {
  maxEvents: 10_000,
  maxBytes: 4_000_000,
  maxStreams: 32,
  keepAliveMs: 15_000,
  endMs: 30_000,
};
/** A connection with this much waiting has no room. */
const ROOM_BYTES = 256 * 1024;
/** Streams of a busy reader are woken this often. */
const WAKE_MS = 4;
/** A burst wakes them at once before it could run over the buffer: at this part of it. */
const BURST_PART = 1 / 4;
/** Losses of power whose numbers are remembered. */
const MOST_UNSURE = 4;
/** Time that streams have to take what waits when the reader stops. */
const STOP_MS = 500;

export class EventStreams {
  readonly #limits: StreamLimits;
  readonly #numbers: EventNumbers;
  readonly #buffer: ReplayBuffer;
  /** Numbers that may never have been used. */
  readonly #unsure: Span[];
  readonly #streams = new Set<EventStream>();
  readonly #counters = { sent: 0, cutOff: 0 };
  #keepAlive: NodeJS.Timeout | undefined;
  #cancelWake: (() => void) | undefined;
  #wokenAt = 0;
  /** Since the last wake. */
  #newEvents = 0;
  #newBytes = 0;
  #onEmpty: (() => void) | undefined;
  #stopped = false;

  /** @param numbers Of the events; default: they begin at 1, and are forgotten with the process. */
  constructor(limits: Partial<StreamLimits> = {}, numbers = new EventNumbers()) {
    this.#limits = { ...LIMITS, ...limits };
    this.#numbers = numbers;
    this.#buffer = new ReplayBuffer(this.#limits, numbers.next);
    const { losses, unsure } = numbers.takeLeft();
    this.#unsure = [...losses, ...(unsure === undefined ? [] : [unsure])].slice(-MOST_UNSURE);
    numbers.hold(
      () => ({ events: [], losses: this.#unsure }),
      (span) => this.#skip(span),
    );
  }

  get counters(): StreamCounters {
    return { open: this.#streams.size, ...this.#counters };
  }

  /** Number of the newest event; 0 = there was none yet. */
  get lastEvent(): number {
    return this.#buffer.last;
  }

  /** Why there cannot be another stream now; undefined = there can. */
  get refusal(): string | undefined {
    if (this.#stopped) return 'the reader is stopping';
    const { maxStreams } = this.#limits;
    if (this.#streams.size < maxStreams) return undefined;
    return `all ${maxStreams} event streams are in use; close one, or try again later`;
  }

  /** Comes for each event, whether anybody listens or not. */
  offer(event: SplitEvent): void {
    this.#numbers.take();
    const bytes = this.#buffer.push(event);
    if (this.#streams.size === 0) return;
    this.#newEvents++;
    this.#newBytes += bytes;
    const { maxEvents, maxBytes } = this.#limits;
    if (this.#newEvents > maxEvents * BURST_PART || this.#newBytes > maxBytes * BURST_PART) {
      this.#wake();
    } else if (this.#cancelWake === undefined) {
      this.#scheduleWake();
    }
  }

  /**
   * Adds a stream; only while there is no `refusal`.
   * @param after Number of the last event that the client has; undefined = only new events.
   */
  open(sink: StreamSink, after: number | undefined): EventStream {
    const stream = new EventStream(this.#buffer, sink, {
      countOf: (first, last) => this.#countOf(first, last),
      sent: (events) => {
        this.#counters.sent += events;
      },
      cutOff: () => {
        this.#counters.cutOff++;
      },
      left: () => this.#remove(stream),
      endMs: this.#limits.endMs,
    });
    this.#streams.add(stream);
    this.#keepAlive ??= setInterval(() => {
      for (const one of this.#streams) one.keepAlive();
    }, this.#limits.keepAliveMs).unref();
    stream.begin(after);
    return stream;
  }

  /** Sends what there is, tells every stream that this is the end, and waits until they are gone. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake();
    if (this.#streams.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
      setTimeout(resolve, STOP_MS).unref();
      for (const stream of this.#streams) stream.end('stop', 'the reader is stopping');
    });
    for (const stream of this.#streams) stream.destroy();
  }

  // The first event after a rest leaves at once, those of a busy reader together.
  #scheduleWake(): void {
    const waitMs = this.#wokenAt + WAKE_MS - performance.now();
    if (waitMs <= 0) {
      const immediate = setImmediate(() => this.#wake());
      this.#cancelWake = () => clearImmediate(immediate);
    } else {
      const timer = setTimeout(() => this.#wake(), waitMs);
      this.#cancelWake = () => clearTimeout(timer);
    }
  }

  #wake(): void {
    this.#cancelWake?.();
    this.#cancelWake = undefined;
    this.#newEvents = 0;
    this.#newBytes = 0;
    this.#wokenAt = performance.now();
    for (const stream of this.#streams) stream.pump();
  }

  /** The events that are kept have numbers without gaps: those before one are not kept after it. */
  #skip(span: Span): void {
    this.#wake();
    this.#unsure.push(span);
    if (this.#unsure.length > MOST_UNSURE) this.#unsure.shift();
    this.#buffer.restart(span.lastNum + 1);
    for (const stream of this.#streams) stream.skip();
  }

  /** Events with these numbers, as far as it is known that there were any. */
  #countOf(first: number, last: number): number {
    let count = last - first + 1;
    for (const { firstNum, lastNum } of this.#unsure) {
      count -= Math.max(0, Math.min(last, lastNum) - Math.max(first, firstNum) + 1);
    }
    return count;
  }

  #remove(stream: EventStream): void {
    this.#streams.delete(stream);
    if (this.#streams.size > 0) return;
    clearInterval(this.#keepAlive);
    this.#keepAlive = undefined;
    this.#onEmpty?.();
  }
}

interface StreamOwner {
  /** How many events had these numbers. */
  countOf(first: number, last: number): number;
  sent(events: number): void;
  cutOff(): void;
  left(): void;
  endMs: number;
}

/** One reader's place in the events. */
export class EventStream {
  readonly #buffer: ReplayBuffer;
  readonly #sink: StreamSink;
  readonly #owner: StreamOwner;
  /** Number of the last event that was sent. */
  #cursor = 0;
  #ended = false;
  #endTimer: NodeJS.Timeout | undefined;

  constructor(buffer: ReplayBuffer, sink: StreamSink, owner: StreamOwner) {
    this.#buffer = buffer;
    this.#sink = sink;
    this.#owner = owner;
  }

  begin(after: number | undefined): void {
    const { first, last } = this.#buffer;
    if (after === undefined) {
      this.#cursor = last;
      return;
    }
    if (after > last) {
      // A number of before a reset of the reader: everything here is new to the client.
      this.#cursor = first - 1;
    } else {
      this.#cursor = after;
      this.skip();
    }
    this.pump();
  }

  /** Goes on at the oldest event that is kept, and reports those before it. */
  skip(): void {
    const [first, last] = [this.#cursor + 1, this.#buffer.first - 1];
    if (this.#ended || first > last) return;
    this.#cursor = last;
    this.#sink.notice(overflowNotice(first, last, this.#owner.countOf(first, last)), last);
  }

  /** Writes while there is something to write, and room for it. */
  pump(): void {
    while (!this.#ended) {
      if (this.#cursor < this.#buffer.first - 1) {
        this.#owner.cutOff();
        this.end('too slow', `too slow: event ${this.#cursor + 1} is not kept any more`);
        return;
      }
      if (this.#sink.waiting >= ROOM_BYTES) return;
      const run = this.#buffer.read(this.#cursor);
      if (run === undefined) return;
      this.#cursor = run.last;
      this.#owner.sent(run.last - run.first + 1);
      this.#sink.send(run);
    }
  }

  keepAlive(): void {
    if (!this.#ended && this.#sink.waiting < ROOM_BYTES) this.#sink.keepAlive();
  }

  end(cause: EndCause, reason: string): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#endTimer = setTimeout(() => this.#sink.destroy(), this.#owner.endMs).unref();
    this.#sink.end(cause, reason);
  }

  destroy(): void {
    this.#sink.destroy();
  }

  /** The connection is gone. */
  left(): void {
    this.#ended = true;
    clearTimeout(this.#endTimer);
    this.#owner.left();
  }
}
