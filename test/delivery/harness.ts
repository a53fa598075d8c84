/** Endpoints alone, on real sockets: events in, what clients receive out. */

import { once } from 'node:events';
import { connect as netConnect, type Socket } from 'node:net';
import type { Test } from 'tap';
import { freePort } from '../../bench/delivery/free-port.js';
import { Endpoint, type EndpointSettings } from '../../src/reader-gateway/delivery/endpoint.js';
import { type SplitEvent, splitText } from '../../src/reader-gateway/delivery/event-bytes.js';
import { batchingRule, retentionRule } from '../../src/reader-gateway/delivery/rules.js';
import type { Transport } from '../../src/reader-gateway/delivery/transport.js';
import type { KeepAlive } from '../../src/reader-gateway/delivery/transports/keep-alive.js';
import { TcpServerTransport } from '../../src/reader-gateway/delivery/transports/tcp-server.js';
import { Certificates } from '../../src/reader-gateway/tls/certificates.js';
import { type Clock, systemClock } from '../../src/shared/clock.js';
import { createLogger } from '../../src/shared/log.js';

export const silent = createLogger('test', {
  fd: 2,
  level: process.env.TEST_LOG ?? 'silent',
});
export const NO_CERTIFICATES = new Certificates('/nowhere');

/** An event as TagEvents makes them; its number is the endpoint's. */
export function event(idHex = 'e28011700000020a1b2c3d4e'): SplitEvent {
  return splitText(
    '{"data":{"antenna":1,"eventNum":',
    `,"format":"epc","idHex":"${idHex}","peakRssi":-51},"timestamp":"2026-01-01T00:00:00.000+0000","type":"SIMPLE"}`,
  );
}

export interface Overflow {
  firstEventNum: number;
  lastEventNum: number;
  lost: number;
  firstTimestamp: string;
  lastTimestamp: string;
}

/** What came, in its order. */
export class Arrivals {
  readonly numbers: number[] = [];
  readonly overflows: Overflow[] = [];
  /** Sizes of the messages: arrays or single events. */
  readonly messages: { bytes: number; events: number; isArray: boolean }[] = [];

  /** @param text One message. */
  message(text: string): void {
    const json = JSON.parse(text);
    const events = [json].flat();
    this.messages.push({
      bytes: Buffer.byteLength(text),
      events: events.length,
      isArray: Array.isArray(json),
    });
    for (const { type, data } of events) {
      if (type === 'OVERFLOW') this.overflows.push(data);
      else this.numbers.push(data.eventNum);
    }
  }

  get distinct(): Set<number> {
    return new Set(this.numbers);
  }

  /** Numbers from 1 to `last` that neither came nor were reported lost. */
  unaccounted(last: number): number[] {
    const seen = new Uint8Array(last + 1);
    for (const number of this.numbers) seen[number] = 1;
    for (const { firstEventNum, lastEventNum } of this.overflows) {
      seen.fill(1, firstEventNum, lastEventNum + 1);
    }
    const missing: number[] = [];
    for (let number = 1; number <= last; number++) if (seen[number] === 0) missing.push(number);
    return missing;
  }
}

/** A client of a tcpip-server endpoint: a line is a message. */
export class LineClient {
  readonly arrivals = new Arrivals();
  #rest = '';

  private constructor(readonly socket: Socket) {
    socket.setEncoding('utf8');
    socket.on('error', () => {});
    socket.on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) this.arrivals.message(line);
    });
  }

  static async connect(port: number, host = '127.0.0.1'): Promise<LineClient> {
    const socket = netConnect(port, host);
    const client = new LineClient(socket);
    await once(socket, 'connect');
    return client;
  }

  async end(): Promise<void> {
    this.socket.end();
    if (!this.socket.closed) await once(this.socket, 'close');
  }
}

export interface EndpointParts {
  batching?: Parameters<typeof batchingRule>[2];
  retention?: Parameters<typeof retentionRule>[1];
  spill?: EndpointSettings['spill'];
  clock?: Clock;
}

export function endpointOf(
  t: Test,
  type: Parameters<typeof batchingRule>[0],
  transport: Transport,
  { batching, retention, spill, clock = systemClock }: EndpointParts = {},
): Endpoint {
  const settings = {
    name: 'tested',
    batching: batchingRule(type, undefined, batching),
    retention: retentionRule(undefined, retention),
    spill,
  };
  const endpoint = new Endpoint(settings, transport, silent, clock, () => {});
  endpoint.open();
  t.teardown(() => endpoint.stop(0));
  return endpoint;
}

/** An endpoint of type tcpip-server and its port. */
export async function tcpEndpoint(
  t: Test,
  parts: EndpointParts & { port?: number; keepAlive?: KeepAlive } = {},
): Promise<{ endpoint: Endpoint; port: number }> {
  const port = parts.port ?? (await freePort());
  const { clock = systemClock, keepAlive } = parts;
  const transport = new TcpServerTransport(
    { tcpipport: String(port) },
    NO_CERTIFICATES,
    clock,
    keepAlive,
  );
  const endpoint = endpointOf(t, 'tcpip-server', transport, parts);
  return { endpoint, port };
}

/** A client that has arrived, once the endpoint listens. */
export async function lineClient(endpoint: Endpoint, port: number): Promise<LineClient> {
  const end = Date.now() + 5000;
  for (;;) {
    try {
      const client = await LineClient.connect(port);
      while (!endpoint.state.connected) await new Promise((resolve) => setTimeout(resolve, 2));
      return client;
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

export function offer(endpoint: Endpoint, count: number): void {
  for (let i = 0; i < count; i++) endpoint.offer(event());
}

export const range = (first: number, last: number) =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
