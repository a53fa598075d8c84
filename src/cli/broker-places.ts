/** Connections of the reader's own broker: how many there may be, and how much one may send at once. */
import type { Server, Socket } from 'node:net';
import { Newcomers } from '../shared/arrivals/newcomers.js';

/** Clients with a login, and without. */
const MOST = { known: 200, strangers: 100 };
/** That have not said who they are. */
const NEWCOMERS = { most: 50, withinMs: 5000 };
/** Of one packet: before the login as large as a command may be; with it as an answer with a log file. */
const MOST_BYTES = { strangers: 1_000_000, known: 16_000_000 };

type Kind = keyof typeof MOST;

export class BrokerPlaces {
  readonly #newcomers = new Newcomers(NEWCOMERS);
  readonly #sizes = new WeakMap<Socket, PacketSizes>();
  readonly #clients: Record<Kind, number> = { known: 0, strangers: 0 };
  readonly #onConnection: (socket: Socket) => void;

  constructor(server: Server, onConnection: (socket: Socket) => void) {
    this.#onConnection = onConnection;
    server.on('connection', (socket: Socket) => this.#arrive(socket));
  }

  #arrive(socket: Socket): void {
    this.#newcomers.add(socket);
    this.#sizes.set(socket, limitPackets(socket));
    this.#onConnection(socket);
  }

  /** A newcomer is a client from now on. @returns false if there are as many of its kind as may be. */
  take(socket: Socket, kind: Kind): boolean {
    if (socket.destroyed || this.#clients[kind] >= MOST[kind]) return false;
    this.#newcomers.remove(socket);
    const sizes = this.#sizes.get(socket);
    if (sizes !== undefined) sizes.mostBytes = MOST_BYTES[kind];
    this.#clients[kind] += 1;
    socket.once('close', () => {
      this.#clients[kind] -= 1;
    });
    return true;
  }
}

/**
 * Ends a connection that announces a larger packet, before any of it is collected. The broker reads
 * its sockets with read(): what comes out of that is looked at on its way.
 */
function limitPackets(socket: Socket): PacketSizes {
  const sizes = new PacketSizes();
  const read = socket.read.bind(socket);
  socket.read = (size?: number) => {
    const chunk = read(size);
    if (chunk === null || sizes.take(chunk)) return chunk;
    socket.destroy();
    return null;
  };
  return sizes;
}

/** Follows the fixed headers of a stream of MQTT packets (MQTT 3.1.1 and 5, 2.1). */
export class PacketSizes {
  mostBytes = MOST_BYTES.strangers;
  /** Of the packet that has begun. */
  #left = 0;
  #length = 0;
  /** Bytes of a fixed header so far: its first, and those of the remaining length. */
  #header = 0;

  /** @returns false as soon as a packet is too large, or its length no length. */
  take(chunk: Buffer): boolean {
    let at = 0;
    while (at < chunk.length) {
      if (this.#left > 0) {
        const skipped = Math.min(this.#left, chunk.length - at);
        this.#left -= skipped;
        at += skipped;
        continue;
      }
      const byte = chunk[at] as number;
      at += 1;
      this.#header += 1;
      if (this.#header === 1) {
        this.#length = 0;
        continue;
      }
      this.#length += (byte & 0x7f) * 128 ** (this.#header - 2);
      if (this.#length > this.mostBytes) return false;
      if ((byte & 0x80) === 0) {
        this.#left = this.#length;
        this.#header = 0;
      } else if (this.#header === 5) return false;
    }
    return true;
  }
}
