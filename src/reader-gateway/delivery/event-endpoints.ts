/** All destinations of one kind of events, kept in step with the configuration. */
import { join } from 'node:path';
import type { Logger } from '../../shared/log.js';
import type { Batching, Connection, Retention } from '../api/connection.js';
import { type EndpointStatus, errorText } from '../endpoint-status.js';
import { certificateVersion } from '../state/installed-certificates.js';
import { Endpoint } from './endpoint.js';
import type { SplitEvent } from './event-bytes.js';
import { type Lost, overflowEvent } from './losses.js';
import type { NumberLedger } from './numbers/ledger.js';
import { removeSpills, spillFolder } from './retention/spill-folders.js';
import { batchingRule, retentionRule, spillRule } from './rules.js';
import { createTransport, type TransportNeeds } from './transports/create.js';

interface Entry {
  connection: Connection;
  fault: string;
  /** What the endpoint was made from; another text = another endpoint. */
  fingerprint: string;
  endpoint: Endpoint;
}

export interface DeliveryNeeds extends TransportNeeds {
  /** Events that spill to disk go below. */
  stateDir: string;
  numbers: NumberLedger;
}

/** What differs between tag events and management events. */
export interface EventKind {
  interface: 'data' | 'managementEvent';
  /** In the state folder, of the events that spill to disk. */
  spillFolder: string;
  /** The event that reports lost ones. */
  overflow(lost: Lost): string;
}

export const TAG_EVENTS: EventKind = {
  interface: 'data',
  spillFolder: 'spill',
  overflow: overflowEvent,
};

/** Time a changed connection gets to send what waits; the rest goes to its successor. */
const CHANGE_FLUSH_MS = 500;

export class EventEndpoints {
  readonly #kind: EventKind;
  readonly #needs: DeliveryNeeds;
  readonly #log: Logger;
  readonly #onChange: () => void;
  #entries = new Map<string, Entry>();
  #closing = new Set<Promise<unknown>>();

  constructor(kind: EventKind, needs: DeliveryNeeds, onChange: () => void) {
    this.#kind = kind;
    this.#needs = needs;
    this.#log = needs.log;
    this.#onChange = onChange;
  }

  /**
   * Opens, closes and replaces what differs; all other connections are not touched.
   * @param faults What is wrong with how a connection is set, for its status.
   */
  apply(
    connections: readonly Connection[],
    readerBatching: Batching | undefined,
    readerRetention: Retention | undefined,
    faults: ReadonlyMap<Connection, string> = new Map(),
  ): void {
    const next = new Map<string, Entry>();
    const toOpen: { old: Endpoint | undefined; endpoint: Endpoint }[] = [];
    connections.forEach((connection, index) => {
      const key = connection.name ?? `#${index + 1}`;
      const own = connection.additionalOptions ?? {};
      const fault = faults.get(connection) ?? '';
      const batching = batchingRule(connection.type, readerBatching, own.batching);
      const retention = retentionRule(readerRetention, own.retention);
      const spillBytes = spillRule(readerRetention, own.retention);
      const fingerprint = JSON.stringify([
        connection.type,
        connection.options,
        batching,
        retention,
        Number.isFinite(retention.maxAgeMs),
        Number.isFinite(retention.throttle),
        spillBytes,
        certificateVersion(connection, this.#needs.certificates),
      ]);
      const old = this.#entries.get(key);
      if (old?.fingerprint === fingerprint) {
        next.set(key, { ...old, connection, fault });
        return;
      }
      const folder = spillFolder(this.#spills, key);
      const spill = spillBytes === undefined ? undefined : { folder, maxBytes: spillBytes };
      const numbers = this.#needs.numbers.numbers(this.#kind.interface, key);
      const endpoint = new Endpoint(
        { name: key, batching, retention, spill, numbers, overflow: this.#kind.overflow },
        createTransport(connection, this.#needs),
        this.#log,
        this.#needs.clock,
        this.#onChange,
        old?.endpoint,
      );
      next.set(key, { connection, fault, fingerprint, endpoint });
      toOpen.push({ old: old?.endpoint, endpoint });
    });
    const gone = [...this.#entries]
      .filter(([key]) => !next.has(key))
      .map(([, { endpoint }]) => endpoint.stop(CHANGE_FLUSH_MS));
    this.#entries = next;
    // A new connection may want the port or the client identity of one that goes.
    const freed = Promise.all(gone);
    const replaced: Promise<void>[] = [];
    for (const { old, endpoint } of toOpen) {
      if (old === undefined && gone.length === 0) endpoint.open();
      else replaced.push(this.#replace(old, endpoint, freed));
    }
    const settled = Promise.all([freed, ...replaced]);
    this.#track(settled);
    // Not before: what is left of an endpoint may be on disk.
    this.#track(settled.then(() => this.#removeSpills()));
    this.#onChange();
  }

  offer(event: SplitEvent): void {
    for (const { endpoint } of this.#entries.values()) endpoint.offer(event);
  }

  /** Nobody wants the events. */
  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** Of the endpoint that has most of them. */
  get waitingEvents(): number {
    let most = 0;
    for (const { endpoint } of this.#entries.values()) most = Math.max(most, endpoint.waiting);
    return most;
  }

  /** Sends at once what waits for its batch. @returns Number of connections. */
  sendWaiting(): number {
    for (const { endpoint } of this.#entries.values()) endpoint.sendWaiting();
    return this.#entries.size;
  }

  status(): EndpointStatus[] {
    return [...this.#entries].map(([name, { connection, fault, endpoint }]) => ({
      interface: this.#kind.interface,
      name,
      description: connection.description ?? name,
      type: connection.type,
      state: endpoint.state.connected ? 'connected' : 'disconnected',
      error: errorText(endpoint.state.error, fault),
      ...endpoint.counters,
    }));
  }

  /** Sends what can be sent, and keeps the rest if it may spill to disk. */
  async stop(flushMs: number): Promise<void> {
    const entries = [...this.#entries.values()];
    await Promise.all([
      ...entries.map(({ endpoint }) => endpoint.stop(flushMs, true)),
      ...this.#closing,
    ]);
  }

  async #replace(
    old: Endpoint | undefined,
    successor: Endpoint,
    freed: Promise<unknown>,
  ): Promise<void> {
    const keep = old?.settings.spill !== undefined && successor.settings.spill !== undefined;
    const left = await old?.stop(CHANGE_FLUSH_MS, keep);
    await freed.catch(() => {});
    successor.open(left);
  }

  /** Of connections that are gone, or do not spill any more. */
  #removeSpills(): Promise<void> {
    const kept = [...this.#entries.values()]
      .map(({ endpoint }) => endpoint.settings.spill?.folder)
      .filter((folder) => folder !== undefined);
    return removeSpills(this.#spills, kept);
  }

  get #spills(): string {
    return join(this.#needs.stateDir, this.#kind.spillFolder);
  }

  #track(closing: Promise<unknown>): void {
    this.#closing.add(closing);
    closing
      .catch((error) => this.#log.error({ err: error }, 'closing an endpoint failed'))
      .finally(() => this.#closing.delete(closing));
  }
}
