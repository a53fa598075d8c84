/**
 * Endpoints whose clients come to the reader (TCP, WebSocket): what is sent goes to all of them.
 * Such a protocol does not say what has arrived. A message counts as delivered when it was written
 * a while ago, or enough was written after it that it cannot be in a buffer on the way any more;
 * when the last client goes, the messages after that are sent once more to the next one.
 */
import type { Clock, Timer } from '../../../shared/clock.js';
import type { Transport, TransportHandlers } from '../transport.js';

/** One that has come. */
export interface Client {
  readonly name: string;
  write(message: Buffer): void;
  /** Written, and not yet taken by the operating system. */
  readonly waitingBytes: number;
  close(reason: string): void;
}

const CONFIRMED_AFTER_MS = 500;
/** More than the buffers of two operating systems hold together. */
const CONFIRMED_AFTER_BYTES = 8_000_000;
/** Waiting bytes above which a client has no room. */
const FULL_BYTES = 256 * 1024;
/** A client without room for so long holds up nobody else any more. */
const STALLED_MS = 5000;

interface Unconfirmed {
  done: (error?: Error) => void;
  bytes: number;
  atMs: number;
}

export class Clients implements Transport {
  readonly unbatched = 'lines' as const;
  readonly #clock: Clock;
  /** With the time since which it has no room. */
  readonly #clients = new Map<Client, { fullSinceMs: number | undefined }>();
  /** Oldest first. */
  #unconfirmed: Unconfirmed[] = [];
  #unconfirmedBytes = 0;
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
    this.#clients.set(client, { fullSinceMs: undefined });
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
    this.#unconfirmedBytes = 0;
    for (const { done } of lost) done(new Error(reason));
  }

  /** A client has written what waited. */
  drained(): void {
    this.#handlers?.onRoom();
  }

  /** The slowest decides, unless it stands still beside others. */
  hasRoom(): boolean {
    if (this.#unconfirmedBytes > 2 * CONFIRMED_AFTER_BYTES) return false;
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
    const bytes = message.length;
    this.#unconfirmed.push({ done, bytes, atMs: this.#clock.now() });
    this.#unconfirmedBytes += bytes;
    if (this.#unconfirmedBytes > CONFIRMED_AFTER_BYTES) this.#confirm();
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
    const limit = this.#clock.now() - CONFIRMED_AFTER_MS;
    let count = 0;
    // What still waits in this process was not written, however long ago.
    let waiting = 0;
    for (const client of this.#clients.keys()) waiting = Math.max(waiting, client.waitingBytes);
    let after = this.#unconfirmedBytes;
    for (const { bytes, atMs } of this.#unconfirmed) {
      after -= bytes;
      if (after < waiting || (atMs > limit && after < CONFIRMED_AFTER_BYTES)) break;
      count++;
    }
    const confirmed = this.#unconfirmed.splice(0, count);
    for (const { bytes } of confirmed) this.#unconfirmedBytes -= bytes;
    for (const { done } of confirmed) done();
  }

  #confirmLater(): void {
    const oldest = this.#unconfirmed[0];
    if (this.#timer !== undefined || oldest === undefined) return;
    const waitMs = oldest.atMs + CONFIRMED_AFTER_MS - this.#clock.now();
    this.#timer = this.#clock.setTimeout(
      () => {
        this.#timer = undefined;
        this.#confirm();
        this.#confirmLater();
      },
      Math.max(20, Math.ceil(waitMs)),
    );
  }
}
