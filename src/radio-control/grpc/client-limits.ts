/** What each client may take of the server, and what was refused. A client is a name at a door. */
import type { Caller } from './caller.js';

export interface ClientLimits {
  /** Connections at each door: main socket, observers' socket, TLS. */
  maxConnections: number;
  /** Connections under one name; those of a socket have a name each. */
  maxConnectionsOfClient: number;
  /** Open streams of one client. */
  maxStreams: number;
  /** Calls of one client in a second; as many may come at once. */
  maxCallsPerSecond: number;
}

export const DEFAULT_LIMITS: ClientLimits = {
  maxConnections: 256,
  maxConnectionsOfClient: 8,
  maxStreams: 16,
  maxCallsPerSecond: 1000,
};

export const REFUSALS = [
  /** The certificate names no role or no client. */
  'identity',
  /** The method needs a higher role. */
  'role',
  /** A door has all the connections that it may have. */
  'connections',
  /** One client has. */
  'connectionsOfClient',
  'streams',
  'calls',
  /** No TLS, or a certificate that is missing, unknown, expired or revoked. */
  'handshake',
  /** A client that takes nothing of what waits for it is cut off. */
  'standing',
] as const;
export type Refusal = (typeof REFUSALS)[number];

export interface ClientsSnapshot {
  /** By their names. */
  clients: number;
  connections: number;
  streams: number;
  refused: Record<Refusal, number>;
}

/** One for all connections under a name. */
export class ClientUse {
  connections = 0;
  streams = 0;
  tokens: number;
  filledAtMs: number;

  constructor(tokens: number, nowMs: number) {
    this.tokens = tokens;
    this.filledAtMs = nowMs;
  }
}

export class Clients {
  readonly limits: ClientLimits;
  readonly #nowMs: () => number;
  readonly #uses = new Map<string, ClientUse>();
  readonly #doors = { socket: 0, 'observer-socket': 0, tls: 0 };
  readonly #refused = Object.fromEntries(REFUSALS.map((reason) => [reason, 0])) as Record<
    Refusal,
    number
  >;

  constructor(limits: ClientLimits, nowMs: () => number = () => performance.now()) {
    this.limits = limits;
    this.#nowMs = nowMs;
  }

  isFull(via: Caller['via']): boolean {
    return this.#doors[via] >= this.limits.maxConnections;
  }

  /** @returns undefined if this client has as many connections as it may. */
  connect({ via, name }: Pick<Caller, 'via' | 'name'>): ClientUse | undefined {
    const key = `${via} ${name}`;
    let use = this.#uses.get(key);
    if (use === undefined) {
      use = new ClientUse(this.limits.maxCallsPerSecond, this.#nowMs());
      this.#uses.set(key, use);
    }
    if (use.connections >= this.limits.maxConnectionsOfClient) return undefined;
    use.connections += 1;
    this.#doors[via] += 1;
    return use;
  }

  disconnect({ via, name }: Pick<Caller, 'via' | 'name'>, use: ClientUse): void {
    use.connections -= 1;
    this.#doors[via] -= 1;
    if (use.connections === 0) this.#uses.delete(`${via} ${name}`);
  }

  /** @returns false if the client calls too fast. */
  takeCall(use: ClientUse): boolean {
    const { maxCallsPerSecond } = this.limits;
    const now = this.#nowMs();
    const grown = ((now - use.filledAtMs) / 1000) * maxCallsPerSecond;
    use.tokens = Math.min(maxCallsPerSecond, use.tokens + grown);
    use.filledAtMs = now;
    if (use.tokens < 1) return false;
    use.tokens -= 1;
    return true;
  }

  refuse(reason: Refusal): void {
    this.#refused[reason] += 1;
  }

  snapshot(): ClientsSnapshot {
    const uses = [...this.#uses.values()];
    const sum = (of: (use: ClientUse) => number) => uses.reduce((all, use) => all + of(use), 0);
    return {
      clients: uses.length,
      connections: sum(({ connections }) => connections),
      streams: sum(({ streams }) => streams),
      refused: { ...this.#refused },
    };
  }
}
