/** WEBSOCKET endpoints: clients come to /ws and get text frames. */
import type { WebSocket } from 'ws';
import type { Clock } from '../../../shared/clock.js';
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

export class WebSocketTransport implements Transport {
  readonly unbatched = 'lines';
  readonly #door: WebSocketTaker;
  readonly #clients: Clients;
  readonly #take = (socket: WebSocket) => this.#accept(socket);

  constructor(door: WebSocketTaker, clock: Clock) {
    this.#door = door;
    this.#clients = new Clients(clock);
  }

  open(handlers: TransportHandlers): void {
    this.#clients.open(handlers);
    this.#clients.tell('');
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
    const client: Client = {
      name: 'WebSocket',
      write: (message) => socket.send(message, TEXT, () => this.#clients.drained()),
      get waitingBytes() {
        return socket.bufferedAmount;
      },
      close: (reason) => {
        socket.close(GOING_AWAY, reason);
        // One that does not even say goodbye.
        setTimeout(() => socket.terminate(), GOODBYE_MS).unref();
      },
    };
    let reason = 'the client has disconnected';
    socket.on('error', (error) => {
      reason = error.message;
    });
    socket.on('close', () => this.#clients.remove(client, reason));
    this.#clients.add(client);
  }
}

const TEXT = { binary: false };
