/** WEBSOCKET endpoints: clients come to /ws and get text frames. */
import type { WebSocket } from 'ws';
import type { Clock, Timer } from '../../../shared/clock.js';
import type { Transport, TransportHandlers } from '../transport.js';
import { type Client, Clients } from './clients.js';

/** Where the clients of /ws go. */
export interface WebSocketTaker {
  taker: ((socket: WebSocket) => void) | undefined;
}

/** Beyond these nobody is let in. */
const MAX_CLIENTS = 32;
const TRY_AGAIN_LATER = 1013;
const GOING_AWAY = 1001;
const GOODBYE_MS = 1000;
const MUCH_BYTES = 64 * 1024;
const PING_MS = 100;
const TEXT = { binary: false };

export class WebSocketTransport implements Transport {
  readonly unbatched = 'lines';
  readonly isDoneWithMessages = true;
  readonly #door: WebSocketTaker;
  readonly #clock: Clock;
  readonly #clients: Clients;
  readonly #take = (socket: WebSocket) => this.#accept(socket);

  constructor(door: WebSocketTaker, clock: Clock) {
    this.#door = door;
    this.#clock = clock;
    this.#clients = new Clients(clock);
  }

  open(handlers: TransportHandlers): void {
    this.#clients.open(handlers);
    this.#clients.report('');
    this.#door.taker = this.#take;
  }

  hasRoom(): boolean {
    return this.#clients.hasRoom();
  }

  send(message: Buffer, done: (error?: Error) => void): void {
    this.#clients.send(message, done);
  }

  async close(): Promise<void> {
    if (this.#door.taker === this.#take) this.#door.taker = undefined;
    await this.#clients.close();
  }

  #accept(socket: WebSocket): void {
    if (this.#clients.count >= MAX_CLIENTS) {
      socket.close(TRY_AGAIN_LATER, 'too many clients');
      return;
    }
    const client = new WebSocketClient(socket, this.#clock, () => this.#clients.drained());
    let reason = 'the client has disconnected';
    socket.on('error', (error) => {
      reason = error.message;
    });
    socket.on('close', () => {
      client.gone();
      this.#clients.remove(client, reason);
    });
    this.#clients.add(client);
  }
}

let clients = 0;

/** A pong acknowledges everything that was sent before its ping. */
class WebSocketClient implements Client {
  acknowledgedBytes = 0;
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #onWritten: () => void;
  /** Two endpoints may have the same client: each knows its own pongs. */
  readonly #ping = `bytes ${++clients} `;
  #writtenBytes = 0;
  #pingTimer: Timer | undefined;

  constructor(socket: WebSocket, clock: Clock, onWritten: () => void) {
    this.#socket = socket;
    this.#clock = clock;
    this.#onWritten = onWritten;
    socket.on('pong', (data) => this.#onPong(data.toString()));
  }

  get waitingBytes(): number {
    return this.#socket.bufferedAmount;
  }

  get takenBytes(): number {
    return this.acknowledgedBytes;
  }

  write(message: Buffer): void {
    this.#socket.send(message, TEXT, this.#onWritten);
    this.#writtenBytes += message.length;
    this.#pingLater();
  }

  close(reason: string): void {
    // What it would still take would come after its memory is used again.
    if (this.#socket.bufferedAmount > MUCH_BYTES) {
      this.#socket.terminate();
      return;
    }
    this.#socket.close(GOING_AWAY, reason);
    // One that does not even say goodbye.
    setTimeout(() => this.#socket.terminate(), GOODBYE_MS).unref();
  }

  gone(): void {
    this.#pingTimer?.cancel();
  }

  #pingLater(): void {
    this.#pingTimer ??= this.#clock.setTimeout(() => {
      if (this.#socket.readyState === this.#socket.OPEN) {
        this.#socket.ping(this.#ping + this.#writtenBytes);
      }
    }, PING_MS);
  }

  #onPong(text: string): void {
    // There are pings of others, that ask whether it lives.
    if (!text.startsWith(this.#ping)) return;
    this.acknowledgedBytes = Number(text.slice(this.#ping.length));
    this.#pingTimer = undefined;
    if (this.acknowledgedBytes < this.#writtenBytes) this.#pingLater();
  }
}
