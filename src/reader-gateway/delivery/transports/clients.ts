/**
 * Endpoints whose clients come to the reader (TCP, WebSocket): what is sent goes to all of them.
 * A message counts as delivered when its clients have acknowledged it, each in its way, or when
 * so much was written after it that it cannot be in any buffer on the way. When the last client
 * goes, the messages after that are sent once more to the next one.
 */
import type { Clock, Timer } from '../../../shared/clock.js';
import type { Transport, TransportHandlers } from '../transport.js';

/** One that has come. */
export interface Client {
  write(message: Buffer): void;
  /** Written, and not yet taken by the operating system. */
  readonly waitingBytes: number;
  /** Bytes of messages, from the first one on, that are known to have arrived. */
  readonly acknowledgedBytes: number;
  close(reason: string): void;
}

/** More than the send buffer of one system and the receive buffer of the other hold. */
const OUT_OF_BUFFERS_BYTES = 12_000_000;
const MAX_UNCONFIRMED_BYTES = 16_000_000;
/** Waiting bytes above which a client has no room. */
const FULL_BYTES = 256 * 1024;
/** A client without room for so long holds up nobody else any more. */
const STALLED_MS = 5000;
const CONFIRM_MS = 100;

interface Unconfirmed {
  done: (error?: Error) => void;
  /** Of all messages up to its end. */
  endBytes: number;
}

interface ClientState {
  /** Bytes of messages that were sent before it came. */
  fromBytes: number;
  /** Since when it has no room. */
  fullSinceMs: number | undefined;
}

export class Clients implements Transport {
  readonly unbatched = 'lines' as const;
  readonly isDoneWithMessages = true;
  readonly #clock: Clock;
  readonly #clients = new Map<Client, ClientState>();
  /** Oldest first. */
  #unconfirmed: Unconfirmed[] = [];
  #sentBytes = 0;
  #confirmedBytes = 0;
  #handlers: TransportHandlers | undefined;
  #timer: Timer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  open(handlers: TransportHandlers): void {
    this.#handlers = handlers;
  }

  get count(): number {
    return this.#clients.size;
  }

  add(client: Client): void {
    this.#clients.set(client, { fromBytes: this.#sentBytes, fullSinceMs: undefined });
    if (this.#clients.size === 1) {
      this.#handlers?.onState({ ready: true, connected: true, error: '' });
    }
  }

  /** @param error Why no client can come; empty when they can. */
  tell(error: string): void {
    if (this.#clients.size > 0) return;
    const reason = error || 'no client is connected';
    this.#handlers?.onState({ ready: false, connected: false, error: reason });
  }

  /** @param reason Why it went. */
  remove(client: Client, reason: string): void {
    if (!this.#clients.delete(client)) return;
    if (this.#clients.size > 0) {
      this.#handlers?.onRoom();
      return;
    }
    this.#handlers?.onState({ ready: false, connected: false, error: reason });
    const lost = this.#unconfirmed;
    this.#unconfirmed = [];
    this.#confirmedBytes = this.#sentBytes;
    for (const { done } of lost) done(new Error(reason));
  }

  /** A client has written what waited. */
  drained(): void {
    this.#handlers?.onRoom();
  }

  /** The slowest decides, unless it stands still beside others. */
  hasRoom(): boolean {
    if (this.#sentBytes - this.#confirmedBytes > MAX_UNCONFIRMED_BYTES) return false;
    const now = this.#clock.now();
    let room = true;
    for (const [client, state] of this.#clients) {
      if (client.waitingBytes < FULL_BYTES) {
        state.fullSinceMs = undefined;
        continue;
      }
      state.fullSinceMs ??= now;
      if (this.#clients.size > 1 && now - state.fullSinceMs > STALLED_MS) {
        this.#clients.delete(client);
        client.close('it takes nothing while others do');
        continue;
      }
      room = false;
    }
    return room && this.#clients.size > 0;
  }

  send(message: Buffer, done: (error?: Error) => void): void {
    if (this.#clients.size === 0) {
      done(new Error('nobody is connected'));
      return;
    }
    for (const client of this.#clients.keys()) client.write(message);
    this.#sentBytes += message.length;
    this.#unconfirmed.push({ done, endBytes: this.#sentBytes });
    if (this.#sentBytes - this.#confirmedBytes > OUT_OF_BUFFERS_BYTES) this.#confirm();
    this.#confirmLater();
  }

  /** Everybody goes, and nothing is told any more. */
  close(): Promise<void> {
    this.#timer?.cancel();
    this.#handlers = undefined;
    this.#unconfirmed = [];
    for (const client of [...this.#clients.keys()]) client.close('the endpoint ends');
    this.#clients.clear();
    return Promise.resolve();
  }

  #confirm(): void {
    let arrived = Number.POSITIVE_INFINITY;
    for (const [client, { fromBytes }] of this.#clients) {
      const outOfBuffers = this.#sentBytes - client.waitingBytes - OUT_OF_BUFFERS_BYTES;
      arrived = Math.min(arrived, Math.max(fromBytes + client.acknowledgedBytes, outOfBuffers));
    }
    const open = this.#unconfirmed.findIndex(({ endBytes }) => endBytes > arrived);
    const count = open < 0 ? this.#unconfirmed.length : open;
    if (count === 0) return;
    const confirmed = this.#unconfirmed.splice(0, count);
    this.#confirmedBytes = confirmed[count - 1]?.endBytes ?? this.#confirmedBytes;
    for (const { done } of confirmed) done();
  }

  #confirmLater(): void {
    if (this.#timer !== undefined || this.#unconfirmed.length === 0) return;
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = undefined;
      this.#confirm();
      this.#confirmLater();
    }, CONFIRM_MS);
  }
}
