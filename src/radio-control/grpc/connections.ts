/** Connections that a door let in: each gets its own gate before the one gRPC server. */
import type { Socket } from 'node:net';
import { experimental, type Server, ServerCredentials, status } from '@grpc/grpc-js';
import type { Caller } from './caller.js';
import type { Clients, ClientUse } from './client-limits.js';
import { ElasticSocket } from './elastic-socket.js';
import { closedGate, gate, limitInfo, type Refused } from './gate.js';

/** Connections that are told why they get nothing. More are closed without a word. */
const MOST_TURNED_AWAY = 32;
const TURNED_AWAY_MS = 5000;

/** A client, or why it is none. */
export type Arrival = Caller | { via: Caller['via']; fault: string };

export class Connections {
  readonly #server: Server;
  readonly #clients: Clients;
  readonly #open = new Map<Socket, Caller['via']>();
  #turnedAway = 0;

  constructor(server: Server, clients: Clients) {
    this.#server = server;
    this.#clients = clients;
  }

  /** Takes the socket over. */
  admit(socket: Socket, arrival: Arrival): void {
    socket.on('error', () => socket.destroy());
    // A client that was quick to go.
    if (socket.destroyed) return;
    const { via } = arrival;
    if ('fault' in arrival) {
      const code = status.PERMISSION_DENIED;
      const info = { reason: 'IDENTITY', metadata: {} };
      this.#turnAway(socket, via, { reason: 'identity', code, details: arrival.fault, info });
    } else if (this.#clients.isFull(via)) {
      this.#turnAway(socket, via, this.#fullDoor());
    } else {
      const use = this.#clients.connect(arrival);
      if (use === undefined) this.#turnAway(socket, via, this.#tooManyOf(arrival));
      else this.#serve(socket, arrival, use);
    }
  }

  closeAll(via?: Caller['via']): void {
    for (const [socket, door] of this.#open) {
      if (via === undefined || via === door) socket.destroy();
    }
  }

  #serve(socket: Socket, caller: Caller, use: ClientUse): void {
    socket.once('close', () => this.#clients.disconnect(caller, use));
    this.#inject(socket, caller.via, gate(this.#clients, caller, use));
  }

  #turnAway(socket: Socket, via: Caller['via'], refused: Refused): void {
    if (this.#turnedAway >= MOST_TURNED_AWAY) {
      this.#clients.refuse(refused.reason);
      socket.destroy();
      return;
    }
    this.#turnedAway += 1;
    const timer = setTimeout(() => socket.destroy(), TURNED_AWAY_MS);
    socket.once('close', () => {
      clearTimeout(timer);
      this.#turnedAway -= 1;
    });
    this.#inject(socket, via, closedGate(this.#clients, refused));
  }

  #inject(socket: Socket, via: Caller['via'], interceptor: ReturnType<typeof gate>): void {
    this.#open.set(socket, via);
    // The door has done what there is to do for transport security.
    const injector = this.#server.createConnectionInjector(
      experimental.createServerCredentialsWithInterceptors(ServerCredentials.createInsecure(), [
        interceptor,
      ]),
    );
    socket.once('close', () => {
      this.#open.delete(socket);
      injector.destroy();
    });
    injector.injectConnection(new ElasticSocket(socket, () => this.#clients.refuse('standing')));
  }

  #fullDoor(): Refused {
    const { maxConnections } = this.#clients.limits;
    return {
      reason: 'connections',
      code: status.RESOURCE_EXHAUSTED,
      details: `${maxConnections} clients are connected, as many as may be (--grpc-max-clients)`,
      info: limitInfo('clients'),
    };
  }

  #tooManyOf({ name }: Caller): Refused {
    const { maxConnectionsOfClient } = this.#clients.limits;
    return {
      reason: 'connectionsOfClient',
      code: status.RESOURCE_EXHAUSTED,
      details: `${name} has ${maxConnectionsOfClient} connections open, as many as one client may`,
      info: limitInfo('connections of a client'),
    };
  }
}
