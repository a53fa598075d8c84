/**
 * Endpoints whose clients come to the reader (TCP, WebSocket): what is sent goes to all of them.
 * A message counts as delivered when its clients have acknowledged it, each in its way, or when
 * so much was written after it that it cannot be in any buffer on the way. When a client goes, the
 * messages that it alone was sent and has not acknowledged are sent once more to the next one.
 */
import type { Clock, Timer } from '../../../shared/clock.js';
import { PerhapsArrived, type Transport, type TransportHandlers } from '../transport.js';
import { TransportStates } from '../transport-states.js';

/** One that has come. */
export interface Client {
  write(message: Buffer): void;
  /** Written, and not yet taken by the operating system. */
  readonly waitingBytes: number;
  /** Bytes of messages, from the first one on, that are known to have arrived. */
  readonly acknowledgedBytes: number;
  /** Bytes that its system has taken; those above the acknowledged ones its program may have read. */
  readonly takenBytes: number;
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
  /** When it said goodbye: of all messages that were sent before. Infinity while it stays. */
  toBytes: number;
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
  readonly #states = new TransportStates();
  #timer: Timer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  open(handlers: TransportHandlers): void {
    this.#states.open(handlers);
  }

  get count(): number {
    return this.#clients.size;
  }

  add(client: Client): void {
    const fromBytes = this.#sentBytes;
    this.#clients.set(client, {
      fromBytes,
      toBytes: Number.POSITIVE_INFINITY,
      fullSinceMs: undefined,
    });
    this.#states.to('up');
  }

  /** It has said goodbye, and gets nothing more; what it still acknowledges counts until remove(). */
  leave(client: Client, reason: string): void {
    const state = this.#clients.get(client);
    if (state === undefined || isLeaving(state)) return;
    state.toBytes = this.#sentBytes;
    this.#oneLess(reason);
  }

  /** @param error Why no client can come; empty when they can. */
  report(error: string): void {
    if (!this.#hasStaying) this.#states.to('down', error || 'no client is connected');
  }

  /** @param reason Why it went. */
  remove(client: Client, reason: string): void {
    const state = this.#clients.get(client);
    if (state === undefined) return;
    this.#clients.delete(client);
    if (!isLeaving(state)) this.#oneLess(reason);
    // What nobody else was sent is settled: nobody else will acknowledge it.
    const others = [...this.#clients.values()].map(({ fromBytes }) => fromBytes);
    const settled = this.#takeUnconfirmed(Math.min(...others));
    const arrived = state.fromBytes + client.acknowledgedBytes;
    const taken = state.fromBytes + client.takenBytes;
    for (const { done, endBytes } of settled) {
      if (endBytes <= arrived) done();
      else done(endBytes <= taken ? new PerhapsArrived(reason) : new Error(reason));
    }
  }

  /** A client has written what waited. */
  drained(): void {
    this.#states.handlers?.onRoom();
  }

  get #hasStaying(): boolean {
    for (const state of this.#clients.values()) if (!isLeaving(state)) return true;
    return false;
  }

  #oneLess(reason: string): void {
    if (this.#hasStaying) this.#states.handlers?.onRoom();
    else this.#states.to('down', reason);
  }

  /** The oldest, up to those that end there. */
  #takeUnconfirmed(upToBytes: number): Unconfirmed[] {
    const open = this.#unconfirmed.findIndex(({ endBytes }) => endBytes > upToBytes);
    const count = open < 0 ? this.#unconfirmed.length : open;
    const taken = this.#unconfirmed.splice(0, count);
    this.#confirmedBytes = taken[count - 1]?.endBytes ?? this.#confirmedBytes;
    return taken;
  }

  /** The slowest decides, unless it stands still beside others. */
  hasRoom(): boolean {
    if (!this.#states.takes) return false;
    if (this.#sentBytes - this.#confirmedBytes > MAX_UNCONFIRMED_BYTES) return false;
    const now = this.#clock.now();
    let room = true;
    for (const [client, state] of this.#clients) {
      if (isLeaving(state)) continue;
      if (client.waitingBytes < FULL_BYTES) {
        state.fullSinceMs = undefined;
        continue;
      }
      state.fullSinceMs ??= now;
      if (this.#clients.size > 1 && now - state.fullSinceMs > STALLED_MS) {
        const reason = 'it takes nothing while others do';
        this.remove(client, reason);
        client.close(reason);
        continue;
      }
      room = false;
    }
    return room;
  }

  send(message: Buffer, done: (error?: Error) => void): void {
    if (!this.#states.takes) {
      done(new Error('nobody is connected'));
      return;
    }
    for (const [client, state] of this.#clients) if (!isLeaving(state)) client.write(message);
    this.#sentBytes += message.length;
    this.#unconfirmed.push({ done, endBytes: this.#sentBytes });
    if (this.#sentBytes - this.#confirmedBytes > OUT_OF_BUFFERS_BYTES) this.#confirm();
    this.#confirmLater();
  }

  /** Everybody goes, and nothing is reported any more. */
  close(): Promise<void> {
    this.#timer?.cancel();
    this.#states.to('closing');
    this.#unconfirmed = [];
    for (const client of [...this.#clients.keys()]) client.close('the endpoint ends');
    this.#clients.clear();
    return Promise.resolve();
  }

  #confirm(): void {
    let arrived = Number.POSITIVE_INFINITY;
    for (const [client, { fromBytes, toBytes }] of this.#clients) {
      const sentBytes = Math.min(this.#sentBytes, toBytes);
      const outOfBuffers = sentBytes - client.waitingBytes - OUT_OF_BUFFERS_BYTES;
      const own = Math.max(fromBytes + client.acknowledgedBytes, outOfBuffers);
      if (own < toBytes) arrived = Math.min(arrived, own);
    }
    for (const { done } of this.#takeUnconfirmed(arrived)) done();
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

function isLeaving({ toBytes }: ClientState): boolean {
  return toBytes !== Number.POSITIVE_INFINITY;
}
