/**
 * Hands encoded reports to any number of subscribers, each at its own pace. Nothing
 * here grows without bound, and a subscriber never waits for another.
 */
import { type EncodedReads, encodeBatch } from './encode-reads.js';
import { RunQueue } from './run-queue.js';

/** Reports a subscriber may have waiting. About 6 MB of encoded reads. */
export const SUBSCRIBER_LIMIT = 131_072;
/** Reports joined to one message at most: past this, larger messages gain nothing. */
const MESSAGE_LIMIT = 1024;

export interface SubscriberTransport {
  /** @returns false if the transport is full: then `resume` must be called once it can take more. */
  send(batch: Buffer): boolean;
}

export interface Subscriber {
  readonly dropped: number;
  /** The transport can take more. */
  resume(): void;
  close(): void;
}

export interface HubOptions {
  /**
   * True: a full subscriber stops the source (`blocked`), so nothing is lost. For radios
   * on a virtual clock. False: it loses its oldest reports, and they are counted.
   */
  lossless: boolean;
  /** The hub is no longer blocked. */
  onUnblocked: () => void;
  limit?: number;
}

export class ReadHub {
  readonly #options: HubOptions;
  readonly #subscribers = new Set<HubSubscriber>();
  #nextSequence = 1;

  constructor(options: HubOptions) {
    this.#options = options;
  }

  get subscriberCount(): number {
    return this.#subscribers.size;
  }

  /** True if the source must hold back (lossless hubs only). */
  get blocked(): boolean {
    if (!this.#options.lossless) return false;
    for (const subscriber of this.#subscribers) if (subscriber.full) return true;
    return false;
  }

  /** The shortest latency that a subscriber asked for, milliseconds. */
  get latencyMs(): number {
    let least = Number.POSITIVE_INFINITY;
    for (const { latencyMs } of this.#subscribers) least = Math.min(least, latencyMs);
    return least;
  }

  publish(run: EncodedReads): void {
    if (run.count === 0) return;
    const firstSequence = this.#nextSequence;
    this.#nextSequence += run.count;
    for (const subscriber of this.#subscribers) subscriber.push(firstSequence, run);
  }

  subscribe(transport: SubscriberTransport, latencyMs: number): Subscriber {
    const subscriber = new HubSubscriber(transport, latencyMs, {
      limit: this.#options.limit ?? SUBSCRIBER_LIMIT,
      lossless: this.#options.lossless,
      onSpace: () => {
        if (!this.blocked) this.#options.onUnblocked();
      },
      onClose: () => {
        this.#subscribers.delete(subscriber);
        if (this.#options.lossless && !this.blocked) this.#options.onUnblocked();
      },
    });
    this.#subscribers.add(subscriber);
    return subscriber;
  }
}

class HubSubscriber implements Subscriber {
  dropped = 0;
  readonly latencyMs: number;

  readonly #transport: SubscriberTransport;
  readonly #policy: { limit: number; lossless: boolean; onSpace(): void; onClose(): void };
  readonly #waiting = new RunQueue();
  #transportFull = false;
  #lastSendMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(
    transport: SubscriberTransport,
    latencyMs: number,
    policy: { limit: number; lossless: boolean; onSpace(): void; onClose(): void },
  ) {
    this.#transport = transport;
    this.latencyMs = latencyMs;
    this.#policy = policy;
  }

  get full(): boolean {
    return this.#waiting.reads >= this.#policy.limit;
  }

  push(firstSequence: number, run: EncodedReads): void {
    this.#waiting.push(firstSequence, run);
    if (!this.#policy.lossless) this.#dropOldest();
    if (this.#transportFull) return;
    // An idle stream sends at once; a busy one waits until its latency is used up.
    const wait = this.#lastSendMs + this.latencyMs - performance.now();
    if (wait <= 1 || this.#waiting.reads >= MESSAGE_LIMIT) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), wait);
  }

  resume(): void {
    this.#transportFull = false;
    this.#send();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#waiting.clear();
    this.#policy.onClose();
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const wasFull = this.full;
    while (this.#waiting.reads > 0 && !this.#transportFull && !this.#closed) {
      const { firstSequence, runs } = this.#waiting.take(MESSAGE_LIMIT);
      this.#lastSendMs = performance.now();
      if (!this.#transport.send(encodeBatch(firstSequence, this.dropped, runs))) {
        this.#transportFull = true;
      }
    }
    if (wasFull && !this.full) this.#policy.onSpace();
  }

  #dropOldest(): void {
    while (this.#waiting.reads > this.#policy.limit && this.#waiting.runs > 1) {
      this.dropped += this.#waiting.dropFirst();
    }
  }
}
