/** An HTTP server that takes what is posted to it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventCounter } from '../event-counter.js';
import type { Sink } from './sink.js';

export async function openHttpSink(): Promise<Sink & { port: number }> {
  const server = createServer((incoming, response) => {
    incoming.on('data', (chunk: Buffer) => sink.counter.take(chunk));
    incoming.on('end', () => response.writeHead(200, { 'content-length': 0 }).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sink = {
    counter: new EventCounter(),
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return sink;
}
