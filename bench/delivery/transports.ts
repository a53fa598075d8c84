/** The transports: how the reader is told to use them, and where their events arrive. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FloorTransport } from './floors/floor.js';
import { openTcpSink, openWebSocketSink } from './sinks/client-sinks.js';
import { openHttpSink } from './sinks/http-sink.js';
import { openMqttSink } from './sinks/mqtt-sink.js';
import { openNdjsonSink } from './sinks/ndjson-sink.js';
import type { Sink } from './sinks/sink.js';

/** Where a client finds the sender, if it is the sender that serves. */
export interface Served {
  /** Of plain TCP. */
  port: number;
  /** `https://127.0.0.1:8443` */
  base: string;
  token: string;
}

export interface DeliveryTransport {
  name: FloorTransport;
  /** What several events in one message look like. */
  batchForm: 'array' | 'lines';
  /** Messages go to the port of a sink, the same for both sides; otherwise the sender serves. */
  openSink?: () => Promise<Sink & { port: number }>;
  connect?: (served: Served) => Promise<Sink>;
  /** A data connection of the configuration; undefined = it needs none. */
  connection?: (port: number) => { type: string; options: object };
}

const CONNECT_TRIES = 20;

function mqttTransport(qos: 0 | 1 | 2): DeliveryTransport {
  return {
    name: `mqtt_qos${qos}`,
    batchForm: 'array',
    openSink: () => openMqttSink(),
    connection: (port) => ({ type: 'mqtt', options: mqttOptions(port, qos) }),
  };
}

export function mqttOptions(port: number, qos: 0 | 1 | 2) {
  return {
    endpoint: { hostName: '127.0.0.1', port, protocol: 'tcp' },
    publishTopic: ['bench'],
    // It comes back at once when a run lets it wait for its broker.
    additional: { qos, reconnectDelay: 0.1, reconnectDelayMax: 0.2 },
  };
}

export const TRANSPORTS: readonly DeliveryTransport[] = [
  mqttTransport(0),
  mqttTransport(1),
  mqttTransport(2),
  {
    name: 'http_post',
    batchForm: 'array',
    openSink: () => openHttpSink(),
    connection: (port) => ({
      type: 'httpPost',
      options: { URL: `http://127.0.0.1:${port}/`, security: {} },
    }),
  },
  {
    name: 'tcpip',
    batchForm: 'array',
    connect: ({ port }) => openTcpSink(port),
    connection: (port) => ({
      type: 'tcpip-server',
      options: { tcpipport: String(port), enableSecurity: false, security: {} },
    }),
  },
  {
    name: 'websocket',
    batchForm: 'array',
    connect: ({ base, token }) => openWebSocketSink(base, token),
    connection: () => ({ type: 'WEBSOCKET', options: {} }),
  },
  {
    name: 'ndjson',
    batchForm: 'lines',
    connect: ({ base, token }) => openNdjsonSink(base, token),
  },
];

export function transportNamed(name: FloorTransport): DeliveryTransport {
  return TRANSPORTS.find((one) => one.name === name) as DeliveryTransport;
}

/** A sender that was just configured may not listen yet. */
export async function connectTo(
  { name, connect }: DeliveryTransport,
  served: Served,
): Promise<Sink> {
  if (connect === undefined) throw new Error(`${name}: nobody receives`);
  for (let tries = 1; ; tries++) {
    try {
      return await connect(served);
    } catch (error) {
      if (tries === CONNECT_TRIES) throw error;
      await sleep(100);
    }
  }
}
