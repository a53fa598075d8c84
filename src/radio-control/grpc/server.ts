/** The gRPC server of radio-control: singulate.radio.v1.Radio, health and reflection. */
import { Server } from '@grpc/grpc-js';
import { SERVICE_NAME } from '../../contract/service.js';
import { Newcomers } from '../../shared/arrivals/newcomers.js';
import type { Caller } from './caller.js';
import { type ClientLimits, Clients, type ClientsSnapshot } from './client-limits.js';
import { Connections } from './connections.js';
import { type RadioParts, radioHandlers, radioServiceDefinition } from './handlers.js';
import { type OpenDoor, openSocketDoor, type SocketDoor } from './socket-door.js';
import type { TlsDoor } from './tls-door.js';

export interface GrpcServerOptions {
  /** Who may open it is an admin. */
  socket: SocketDoor;
  /** Who may open it is an observer. */
  observerSocket?: SocketDoor | undefined;
  tls?: Omit<TlsDoor, 'maxClients' | 'maxEarly'> | undefined;
  limits: ClientLimits;
  /** A client that does not answer within this time and half of it more is gone. */
  keepaliveSeconds: number;
}

const MAX_REQUEST_BYTES = 1024 * 1024;
/** Beside its streams; what a client calls above waits on its side, as HTTP/2 has it. */
const CALLS_AT_ONCE = 16;
const MAX_ANSWER_MS = 10_000;
/** TLS connections beside those that are let in: told why not, and in their handshake. */
const TOLD_WHY_NOT = 32;
const EARLY = 64;

/** Connections of a Unix socket that have not said anything: they take nobody's place. */
const NEWCOMERS = { most: 64, withinMs: 5000 };

export class GrpcServer {
  readonly #server: Server;
  readonly #clients: Clients;
  readonly #connections: Connections;
  readonly #doors: OpenDoor[] = [];

  private constructor({ limits, keepaliveSeconds }: GrpcServerOptions) {
    const keepaliveMs = keepaliveSeconds * 1000;
    this.#server = new Server({
      'grpc.keepalive_time_ms': keepaliveMs,
      'grpc.keepalive_timeout_ms': Math.min(keepaliveMs / 2, MAX_ANSWER_MS),
      'grpc.max_concurrent_streams': limits.maxStreams + CALLS_AT_ONCE,
      'grpc.max_receive_message_length': MAX_REQUEST_BYTES,
      // Our own counts do it, and it costs something at every message.
      'grpc.enable_channelz': 0,
    });
    this.#clients = new Clients(limits);
    this.#connections = new Connections(this.#server, this.#clients);
  }

  /** Throws a CONFIG error if a socket, the port or the certificates cannot be had. */
  static async listen(parts: RadioParts, options: GrpcServerOptions): Promise<GrpcServer> {
    const server = new GrpcServer(options);
    server.#server.addService(
      radioServiceDefinition,
      radioHandlers(parts, () => server.clients()),
    );
    try {
      await server.#open(options, parts);
    } catch (error) {
      await server.close();
      throw error;
    }
    return server;
  }

  /** Who is connected, and what was refused since the start. */
  clients(): ClientsSnapshot {
    return this.#clients.snapshot();
  }

  /**
   * Adds grpc.health.v1.Health and server reflection. Apart from listen(), because loading
   * them takes longer than all the rest of the start and the first client needs neither.
   */
  async addDiscovery(): Promise<void> {
    const { addHealth } = await import('./health.js');
    addHealth(this.#server, SERVICE_NAME);
    const { addReflection } = await import('./reflection.js');
    addReflection(this.#server);
  }

  async close(): Promise<void> {
    const closing = this.#doors.map((door) => door.close());
    // Streams never end by themselves, so a graceful shutdown would wait for ever.
    this.#connections.closeAll();
    this.#server.forceShutdown();
    await Promise.all(closing);
  }

  async #open(options: GrpcServerOptions, { logging: { log } }: RadioParts): Promise<void> {
    const { socket, observerSocket, tls, limits } = options;
    const connections = this.#connections;
    const openSocket = (door: SocketDoor, arrival: Omit<Caller, 'name'>) => {
      const newcomers = new Newcomers(NEWCOMERS);
      let count = 0;
      return openSocketDoor(door, (connection) => {
        count += 1;
        const name = `${arrival.via}-${count}`;
        newcomers.untilItSpeaks(connection, () =>
          connections.admit(connection, { ...arrival, name }),
        );
      });
    };
    // The door that says "here I am" comes last: who sees it finds all others.
    if (tls !== undefined) {
      const { openTlsDoor } = await import('./tls-door.js');
      const most = { maxClients: limits.maxConnections + TOLD_WHY_NOT, maxEarly: EARLY };
      this.#doors.push(
        await openTlsDoor({ ...tls, ...most }, log, {
          onConnection: (connection, arrival) => connections.admit(connection, arrival),
          onRefused: () => this.#clients.refuse('handshake'),
          closeAll: () => connections.closeAll('tls'),
        }),
      );
    }
    if (observerSocket !== undefined) {
      const arrival = { via: 'observer-socket', role: 'observer' } as const;
      this.#doors.push(await openSocket(observerSocket, arrival));
    }
    this.#doors.push(await openSocket(socket, { via: 'socket', role: 'admin' }));
  }
}
