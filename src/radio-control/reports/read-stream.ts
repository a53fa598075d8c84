/** One stream of reports: a place in the log, that moves as its transport takes messages. */
import { encodeBatch } from './encode-reads.js';
import type { ReadLog } from './read-log.js';
import type { ReadView } from './read-view.js';

export interface StreamTransport {
  /** @returns false if the transport is full: then `resume` must be called once it can take more. */
  send(batch: Buffer): boolean;
  /** The stream is over. */
  end(why: 'stopping' | 'cut off', reason: string): void;
}

export interface StreamSettings {
  /** Longest wait of a report for others, milliseconds. The first of an idle stream never waits. */
  latencyMs: number;
  /** In one message. */
  maxReads: number;
  /** True: it holds up the log rather than losing reports. */
  blocks: boolean;
  /** How long it may hold up the log, milliseconds; 0 = for ever. */
  maxBlockMs: number;
  clientName: string;
  /** Say at once where the stream is, even if there are no reads. */
  announced: boolean;
  view: ReadView | undefined;
}

interface Place {
  /** Sequence number of the first report that it gets. */
  next: number;
  dropped: number;
}

interface Listeners {
  /** It has taken reports. */
  onProgress(): void;
  onCutOff(): void;
  onClose(): void;
}

export class ReadStream {
  readonly connectedAt = Date.now();
  readonly #log: ReadLog;
  readonly #transport: StreamTransport;
  readonly #settings: StreamSettings & Listeners;
  #next: number;
  #dropped: number;
  #delivered = 0;
  #filtered = 0;
  #messages = 0;
  #begun = false;
  #transportFull = false;
  #lastSendMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #blocking: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(
    log: ReadLog,
    transport: StreamTransport,
    settings: StreamSettings & Place & Listeners,
  ) {
    this.#log = log;
    this.#transport = transport;
    this.#settings = settings;
    this.#next = settings.next;
    this.#dropped = settings.dropped;
  }

  /** Sequence number of the next report that it takes. */
  get next(): number {
    return this.#next;
  }

  get blocks(): boolean {
    return this.#settings.blocks;
  }

  get latencyMs(): number {
    return this.#settings.latencyMs;
  }

  /** Reports that it lost, those that fell out of the log just now as well. */
  get dropped(): number {
    return this.#dropped + Math.max(0, this.#log.oldestSequence - this.#next);
  }

  get statistics() {
    return {
      clientName: this.#settings.clientName,
      connectedMs: Date.now() - this.connectedAt,
      delivered: this.#delivered,
      dropped: this.dropped,
      filtered: this.#filtered,
      waiting: this.#log.nextSequence - Math.max(this.#next, this.#log.oldestSequence),
      messages: this.#messages,
    };
  }

  /** Says where the stream is, with the reports that are there. */
  begin(): void {
    this.#sendAll();
    if (this.#settings.announced && !this.#begun) this.#send([], this.#next);
  }

  onReports(): void {
    if (this.#transportFull || this.#closed) return;
    const wait = this.#lastSendMs + this.latencyMs - performance.now();
    const waiting = this.#log.nextSequence - this.#next;
    // Those who publish collect for as long: what comes nearly so late was collected already, and a
    // timer for the rest would be a wake more for each message.
    if (wait <= this.latencyMs / 2 || waiting >= this.#settings.maxReads) this.#sendAll();
    else this.#timer ??= setTimeout(() => this.#sendAll(), wait);
  }

  /** The transport can take more. */
  resume(): void {
    this.#transportFull = false;
    this.#sendAll();
  }

  /** It holds up the log: not for ever, on a radio that does not wait. */
  beginBlocking(): void {
    const { maxBlockMs } = this.#settings;
    if (maxBlockMs === 0 || this.#closed) return;
    this.#blocking ??= setTimeout(() => {
      this.#settings.onCutOff();
      this.#finish('cut off', `it took nothing for ${maxBlockMs} ms, and held up all others`);
    }, maxBlockMs);
  }

  endBlocking(): void {
    clearTimeout(this.#blocking);
    this.#blocking = undefined;
  }

  end(reason: string): void {
    if (!this.#transportFull) this.#sendAll();
    this.#finish('stopping', reason);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#timer);
    this.endBlocking();
    this.#settings.onClose();
  }

  #finish(why: 'stopping' | 'cut off', reason: string): void {
    if (this.#closed) return;
    this.close();
    this.#transport.end(why, reason);
  }

  #sendAll(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const before = this.#next;
    this.#skipForgotten();
    while (this.#next < this.#log.nextSequence && !this.#transportFull && !this.#closed) {
      this.#sendNext();
    }
    if (this.#next !== before) this.#settings.onProgress();
  }

  /** What fell out of the log meanwhile. */
  #skipForgotten(): void {
    this.#dropped = this.dropped;
    this.#next = Math.max(this.#next, this.#log.oldestSequence);
  }

  #sendNext(): void {
    const { view, maxReads } = this.#settings;
    const parts: Buffer[] = [];
    let reads = 0;
    let first: number | undefined;
    while (this.#next < this.#log.nextSequence && reads < maxReads) {
      const room = maxReads - reads;
      const run = this.#log.runAt(this.#next, room);
      // A whole run is shared by all streams: better a shorter message than half of it.
      if (run.count === room && reads > 0 && this.#isCut(run)) break;
      const { bytes, count, firstSequence } = view?.of(run) ?? run;
      this.#filtered += run.count - count;
      this.#next = run.firstSequence + run.count;
      if (count === 0) continue;
      parts.push(bytes);
      reads += count;
      first ??= firstSequence;
    }
    if (first === undefined) return;
    this.#delivered += reads;
    this.#lastSendMs = performance.now();
    this.#send(parts, first);
  }

  /** Is it a part of what the log has there in one piece? */
  #isCut(run: { firstSequence: number; count: number }): boolean {
    return this.#log.runAt(run.firstSequence, this.#settings.maxReads).count > run.count;
  }

  #send(parts: readonly Buffer[], firstSequence: number): void {
    const { view } = this.#settings;
    const head = {
      firstSequence,
      dropped: this.#dropped,
      ...(this.#begun ? {} : { logId: this.#log.id }),
      ...(view?.filters ? { nextSequence: this.#next } : {}),
    };
    this.#begun = true;
    this.#messages++;
    if (!this.#transport.send(encodeBatch(head, parts))) this.#transportFull = true;
  }
}
