/** All destinations of tag events, kept in step with the configuration. */
import type { Logger } from '../../shared/log.js';
import { type Batching, type Connection, isMqtt, type Retention } from '../api/connection.js';
import type { EndpointStatus } from '../endpoint-status.js';
import type { Certificates } from '../tls/certificates.js';
import { Endpoint } from './endpoint.js';
import { HttpPostTransport } from './http-post-transport.js';
import { MqttTransport } from './mqtt-transport.js';
import { batchingRule, retentionRule } from './rules.js';
import type { SplitEvent } from './tag-event.js';
import type { Transport } from './transport.js';

interface Entry {
  connection: Connection;
  /** What the endpoint was made from; another text = another endpoint. */
  fingerprint: string;
  endpoint: Endpoint;
}

/** Time a changed connection gets to send what waits; the rest goes to its successor. */
const CHANGE_FLUSH_MS = 500;

export class DataEndpoints {
  readonly #certificates: Certificates;
  readonly #log: Logger;
  readonly #onChange: () => void;
  #entries = new Map<string, Entry>();
  #closing = new Set<Promise<unknown>>();

  constructor(certificates: Certificates, log: Logger, onChange: () => void) {
    this.#certificates = certificates;
    this.#log = log;
    this.#onChange = onChange;
  }

  /** Opens, closes and replaces what differs; all other connections are not touched. */
  apply(
    connections: readonly Connection[],
    readerBatching: Batching | undefined,
    readerRetention: Retention | undefined,
  ): void {
    const next = new Map<string, Entry>();
    connections.forEach((connection, index) => {
      const key = connection.name ?? `#${index + 1}`;
      const own = connection.additionalOptions ?? {};
      const batching = batchingRule(connection.type, readerBatching, own.batching);
      const retention = retentionRule(readerRetention, own.retention);
      const fingerprint = JSON.stringify([
        connection.type,
        connection.options,
        batching,
        retention,
        Number.isFinite(retention.maxAgeMs),
        Number.isFinite(retention.throttle),
      ]);
      const old = this.#entries.get(key);
      if (old?.fingerprint === fingerprint) {
        next.set(key, { ...old, connection });
        return;
      }
      const endpoint = new Endpoint(
        { name: key, batching, retention },
        createTransport(connection, this.#certificates),
        this.#log,
        this.#onChange,
        old?.endpoint,
      );
      next.set(key, { connection, fingerprint, endpoint });
      if (old === undefined) endpoint.open();
      else this.#replace(old.endpoint, endpoint);
    });
    for (const [key, { endpoint }] of this.#entries) {
      if (!next.has(key)) this.#track(endpoint.stop(CHANGE_FLUSH_MS));
    }
    this.#entries = next;
    this.#onChange();
  }

  offer(event: SplitEvent): void {
    for (const { endpoint } of this.#entries.values()) endpoint.offer(event);
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  status(): EndpointStatus[] {
    return [...this.#entries].map(([name, { connection, endpoint }]) => ({
      interface: 'data',
      name,
      description: connection.description ?? name,
      type: connection.type,
      state: endpoint.state.connected ? 'connected' : 'disconnected',
      error: endpoint.state.error,
      ...endpoint.counters,
    }));
  }

  async stop(flushMs: number): Promise<void> {
    const entries = [...this.#entries.values()];
    await Promise.all([...entries.map(({ endpoint }) => endpoint.stop(flushMs)), ...this.#closing]);
  }

  // The new connection waits for the end of the old one: both may use one client identity.
  #replace(old: Endpoint, successor: Endpoint): void {
    this.#track(
      old.stop(CHANGE_FLUSH_MS).then((left) => {
        successor.adopt(left);
        successor.open();
      }),
    );
  }

  #track(closing: Promise<unknown>): void {
    this.#closing.add(closing);
    closing
      .catch((error) => this.#log.error({ err: error }, 'closing an endpoint failed'))
      .finally(() => this.#closing.delete(closing));
  }
}

function createTransport(connection: Connection, certificates: Certificates): Transport {
  if (isMqtt(connection)) return new MqttTransport(connection.options, certificates);
  if (connection.type === 'httpPost') return new HttpPostTransport(connection.options);
  throw new Error('soon');
}
