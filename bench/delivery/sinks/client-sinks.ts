/** Clients of those who listen themselves: plain TCP and WebSocket. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { EventCounter } from '../event-counter.js';
import type { Sink } from './sink.js';

export async function openTcpSink(port: number): Promise<Sink> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const sink = { counter: new EventCounter(), close: async () => void socket.destroy() };
  socket.on('error', () => {});
  socket.on('data', (chunk) => sink.counter.take(chunk));
  return sink;
}

/** @param base `https://127.0.0.1:8443` */
export async function openWebSocketSink(base: string, token: string): Promise<Sink> {
  const client = new WebSocket(new URL('/ws', base.replace('https:', 'wss:')), {
    rejectUnauthorized: false,
    perMessageDeflate: false,
    headers: { authorization: `Bearer ${token}` },
  });
  await once(client, 'open');
  const sink = { counter: new EventCounter(), close: async () => client.terminate() };
  client.on('error', () => {});
  client.on('message', (data: Buffer) => sink.counter.take(data));
  return sink;
}
