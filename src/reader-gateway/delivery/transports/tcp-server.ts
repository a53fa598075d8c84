/** tcpip-server endpoints: clients come to a port of the reader and get a line per event or batch. */
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { doorCounts } from '../../../shared/arrivals/door-counts.js';
import { KnownClients } from '../../../shared/arrivals/known-clients.js';
import { Places } from '../../../shared/arrivals/places.js';
import { tlsArrivals } from '../../../shared/arrivals/tls-arrivals.js';
import { Backoff } from '../../../shared/backoff.js';
import type { Clock } from '../../../shared/clock.js';
import { errorMessage } from '../../../shared/errors.js';
import { HANDSHAKE_MS } from '../../../shared/server-tls.js';
import type { TcpServerOptions } from '../../api/connection.js';
import type { Certificates } from '../../tls/certificates.js';
import { serverTls } from '../../tls/server-tls.js';
import type { Transport, TransportHandlers } from '../transport.js';
import { type Client, Clients } from './clients.js';
import { type KeepAlive, keepAliveOf } from './keep-alive.js';
import { TcpPeer } from './tcp-peer.js';

/** Beyond these nobody is let in. */
const MAX_CLIENTS = 16;
const GOODBYE = 'the client has disconnected';
/** When a client has ended its side: to see what it has acknowledged. */
const KEPT_OPEN = { allowHalfOpen: true };
const LINE_END = Buffer.from('\n');

export class TcpServerTransport implements Transport {
  readonly unbatched = 'lines';
  readonly isDoneWithMessages = true;
  readonly #options: TcpServerOptions;
  readonly #certificates: Certificates;
  readonly #clock: Clock;
  readonly #keepAlive: KeepAlive;
  readonly #clients: Clients;
  readonly #backoff = new Backoff({ firstMs: 500, maxMs: 30_000 });
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param keepAlive Other times than those of the options, for tests. */
  constructor(
    options: TcpServerOptions,
    certificates: Certificates,
    clock: Clock,
    keepAlive: KeepAlive = keepAliveOf(options),
  ) {
    this.#options = options;
    this.#certificates = certificates;
    this.#clock = clock;
    this.#keepAlive = keepAlive;
    this.#clients = new Clients(clock);
  }

  open(handlers: TransportHandlers): void {
    this.#clients.open(handlers);
    this.#clients.report('');
    this.#listen().catch((error) => this.#retry(errorMessage(error)));
  }

  hasRoom(): boolean {
    return this.#clients.hasRoom();
  }

  send(message: Buffer, done: (error?: Error) => void): void {
    this.#clients.send(message, done);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#clients.close();
    // Also those that are still shaking hands.
    for (const socket of this.#sockets) socket.destroy();
    const server = this.#server;
    if (server !== undefined) await new Promise((resolve) => server.close(resolve));
  }

  async #listen(): Promise<void> {
    const { enableSecurity = false, tcpipport } = this.#options;
    const tls = enableSecurity ? await serverTls(this.#options, this.#certificates) : undefined;
    if (this.#closed) return;
    const server =
      tls === undefined
        ? createServer({ noDelay: true, ...KEPT_OPEN }, (socket) => this.#accept(socket))
        : createTlsServer({ ...tls, ...KEPT_OPEN }, (socket) => this.#accept(socket));
    if (tls === undefined) server.maxConnections = MAX_CLIENTS;
    else boundHandshakes(server as TlsServer);
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('error', (error) => this.#retry(errorMessage(error)));
    this.#server = server;
    server.listen(Number(tcpipport), () => {
      this.#backoff.reset();
      this.#clients.report('');
    });
  }

  /** The port is taken, or a file is missing: for ever, with a backoff. */
  #retry(error: string): void {
    if (this.#closed) return;
    this.#clients.report(error);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#listen().catch((again) => this.#retry(errorMessage(again)));
    }, this.#backoff.next());
  }

  #accept(socket: Socket): void {
    let reason = GOODBYE;
    const peer = new TcpPeer(socket, this.#keepAlive, this.#clock, (why) => {
      reason = why;
      socket.destroy();
    });
    const client: Client = {
      write: (message) => {
        writeLine(socket, message);
        peer.written(message.length);
      },
      get waitingBytes() {
        return socket.writableLength;
      },
      get acknowledgedBytes() {
        return peer.acknowledgedBytes;
      },
      get takenBytes() {
        return peer.takenBytes;
      },
      close: () => socket.destroy(),
    };
    // What a client says does not matter; that it ends does.
    socket.resume();
    socket.on('end', () => {
      this.#clients.leave(client, GOODBYE);
      void peer.goodbye().then(() => socket.destroy());
    });
    socket.on('error', (error) => {
      reason = errorMessage(error);
    });
    socket.on('drain', () => this.#clients.drained());
    socket.on('close', () => {
      peer.close();
      this.#clients.remove(client, reason);
    });
    this.#clients.add(client);
  }
}

/** Clients that are there stay; those who only shake hands have half of the places, and make room. */
function boundHandshakes(server: TlsServer): void {
  const limits = { all: MAX_CLIENTS, perClient: MAX_CLIENTS, kept: 0, early: MAX_CLIENTS / 2 };
  const places = new Places(
    { ...limits, handshakeMs: HANDSHAKE_MS },
    new KnownClients(),
    doorCounts('tcpip-server'),
  );
  tlsArrivals(server, places, (place) => void place.uses++);
}

function writeLine(socket: Socket, message: Buffer): void {
  const ends = message[message.length - 1] === LINE_END[0];
  if (ends) {
    socket.write(message);
    return;
  }
  socket.cork();
  socket.write(message);
  socket.write(LINE_END);
  socket.uncork();
}
