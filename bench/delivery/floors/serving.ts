/** Bare net, ws and an https response, for the one client that comes. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Floor, writeAll } from './floor.js';

/** Bytes that ws holds back before one waits for it. */
const WEBSOCKET_BUFFER = 256 * 1024;

export async function tcpFloor(): Promise<Floor> {
  let client: Socket | undefined;
  const server = createServer({ noDelay: true }, (socket) => {
    client = socket;
  });
  return {
    port: await listen(server),
    send: (message, messages) => writeAll(present(client), message, messages),
  };
}

export async function webSocketFloor(tlsDir: string): Promise<Floor> {
  const server = tlsServer(tlsDir);
  let client: WebSocket | undefined;
  new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket) => {
    client = socket;
  });
  return {
    port: await listen(server),
    send: async (message, messages) => {
      const socket = present(client);
      for (let i = 0; i < messages; i++) {
        const text = message(i);
        const last = i === messages - 1;
        if (!last && socket.bufferedAmount < WEBSOCKET_BUFFER) socket.send(text);
        else await new Promise((resolve) => socket.send(text, resolve));
      }
    },
  };
}

export async function ndjsonFloor(tlsDir: string): Promise<Floor> {
  const server = tlsServer(tlsDir);
  let client: ServerResponse | undefined;
  server.on('request', (_incoming, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.flushHeaders();
    client = response;
  });
  return {
    port: await listen(server),
    send: (message, messages) => writeAll(present(client), message, messages),
  };
}

function tlsServer(tlsDir: string): HttpsServer {
  return createHttpsServer({
    cert: readFileSync(join(tlsDir, 'cert.pem')),
    key: readFileSync(join(tlsDir, 'key.pem')),
  });
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function present<Client>(client: Client | undefined): Client {
  if (client === undefined) throw new Error('nobody has come');
  return client;
}
