/** How many connections there may be, and how many from one address: nobody takes them all. */
import type { Server, Socket } from 'node:net';
import { clientKey } from '../auth/client-key.js';

export interface ConnectionBounds {
  all: number;
  /** From one address (of IPv6, from one network of 64 bits). */
  perClient: number;
}

export const CONNECTION_BOUNDS: ConnectionBounds = { all: 200, perClient: 64 };

export function boundConnections(server: Server, { all, perClient }: ConnectionBounds): void {
  const open = new Map<string, number>();
  server.maxConnections = all;
  // Before the TLS handshake, which is what costs most.
  server.on('connection', (socket: Socket) => {
    const key = clientKey(socket.remoteAddress ?? '');
    const count = open.get(key) ?? 0;
    if (count >= perClient) {
      socket.destroy();
      return;
    }
    open.set(key, count + 1);
    socket.once('close', () => {
      const left = (open.get(key) ?? 1) - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    });
  });
}
