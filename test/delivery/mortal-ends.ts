/** Endpoints of each kind with an end that is killed; those of one kind share it. */

import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { type WebSocket, WebSocketServer } from 'ws';
import { HttpPostTransport } from '../../src/reader-gateway/delivery/transports/http-post.js';
import { MqttTransport } from '../../src/reader-gateway/delivery/transports/mqtt.js';
import {
  type WebSocketTaker,
  WebSocketTransport,
} from '../../src/reader-gateway/delivery/transports/websocket.js';
import { systemClock } from '../../src/shared/clock.js';
import { endpointOf, NO_CERTIFICATES, silent, tcpEndpoint } from './harness.js';
import { type Campaign, type Line, MortalPeer, survives } from './killing.js';

/** How soon again: the tests break connections more often than the world does. */
const SOON = { reconnectDelay: 0.1, reconnectDelayMax: 0.2 };
const KEPT = { maxNumEvents: 150_000, throttle: 0 };
const NOT_KEPT = { maxNumEvents: 0 };
const BOTH = [
  ['kept', KEPT],
  ['unkept', NOT_KEPT],
] as const;

export async function brokerSurvives(t: Test, campaign: Campaign): Promise<void> {
  const broker = await MortalPeer.start(t, 'mqtt');
  const line = (qos: 0 | 1 | 2, name: 'kept' | 'unkept', retention: object): Line => {
    const channel = `${name}/${qos}`;
    const options = {
      endpoint: { hostName: '127.0.0.1', port: broker.port },
      additional: { qos, ...SOON },
      publishTopic: [channel],
    };
    const transport = new MqttTransport(options, NO_CERTIFICATES, silent);
    const endpoint = endpointOf(t, 'mqtt', transport, { retention });
    return { channel, endpoint, keeps: name === 'kept', isAnswered: qos > 0 };
  };
  const lines = ([0, 1, 2] as const).flatMap((qos) =>
    BOTH.map(([name, retention]) => line(qos, name, retention)),
  );
  await survives(t, broker, lines, campaign);
}

export async function webServerSurvives(t: Test, campaign: Campaign): Promise<void> {
  const server = await MortalPeer.start(t, 'http');
  const batching = { reportingInterval: 20, maxPayloadSizePerReport: 256_000 };
  const lines = BOTH.map(([channel, retention]): Line => {
    const URL = `http://127.0.0.1:${server.port}/${channel}`;
    const transport = new HttpPostTransport(
      { URL, additional: SOON },
      NO_CERTIFICATES,
      systemClock,
    );
    const endpoint = endpointOf(t, 'httpPost', transport, { retention, batching });
    return { channel, endpoint, keeps: channel === 'kept', isAnswered: true };
  });
  await survives(t, server, lines, campaign);
}

export async function tcpClientSurvives(t: Test, campaign: Campaign): Promise<void> {
  const lines = await Promise.all(
    BOTH.map(async ([name, retention]): Promise<Line> => {
      const { endpoint, port } = await tcpEndpoint(t, { retention });
      return { channel: String(port), endpoint, keeps: name === 'kept', isAnswered: true };
    }),
  );
  const channels = lines.map(({ channel }) => channel);
  await survives(t, await MortalPeer.start(t, 'tcp', { channels }), lines, campaign);
}

export async function webSocketClientSurvives(t: Test, campaign: Campaign): Promise<void> {
  const doors = new Map<string, WebSocketTaker>();
  const server = createHttpServer();
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket: WebSocket, { url = '' }) => {
    doors.get(url.slice(1))?.taker?.(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const lines = BOTH.map(([channel, retention]): Line => {
    const door: WebSocketTaker = { taker: undefined };
    doors.set(channel, door);
    const transport = new WebSocketTransport(door, systemClock);
    const endpoint = endpointOf(t, 'WEBSOCKET', transport, { retention });
    return { channel, endpoint, keeps: channel === 'kept', isAnswered: true };
  });
  const channels = lines.map(({ channel }) => channel);
  await survives(t, await MortalPeer.start(t, 'websocket', { port, channels }), lines, campaign);
}
