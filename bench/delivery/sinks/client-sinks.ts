/** Clients of those who listen themselves: plain TCP, WebSocket, a response that never ends. */
import { once } from 'node:events';
import { request } from 'node:https';
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

export async function openNdjsonSink(base: string, token: string): Promise<Sink> {
  const outgoing = request(new URL('/cloud/events', base), {
    rejectUnauthorized: false,
    headers: { authorization: `Bearer ${token}` },
  });
  outgoing.end();
  const [response] = await once(outgoing, 'response');
  if (response.statusCode !== 200) throw new Error(`GET /cloud/events: ${response.statusCode}`);
  const sink = { counter: new EventCounter(), close: async () => void outgoing.destroy() };
  outgoing.on('error', () => {});
  response.on('error', () => {});
  response.on('data', (chunk: Buffer) => sink.counter.take(chunk));
  return sink;
}
