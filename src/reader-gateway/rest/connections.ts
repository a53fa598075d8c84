/** The connections of the REST door: how many there may be, and who makes room for whom. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import type { Duplex } from 'node:stream';
import { doorCounts } from '../../shared/arrivals/door-counts.js';
import type { KnownClients } from '../../shared/arrivals/known-clients.js';
import { type Place, Places } from '../../shared/arrivals/places.js';
import { tlsArrivals } from '../../shared/arrivals/tls-arrivals.js';
import { asksForWebSocket } from '../http/other-upgrade.js';

export interface ConnectionBounds {
  all: number;
  /** From one address (of IPv6, from one network of 64 bits). */
  perClient: number;
}

export const CONNECTION_BOUNDS: ConnectionBounds = { all: 200, perClient: 64 };

/** Of all: free for addresses that had a valid token lately. */
const KEPT = 1 / 4;
/** Of all: for strangers before the end of their handshake. */
const EARLY = 1 / 2;

/** @param server That was just made. */
export function boundConnections(
  server: Server,
  { all, perClient }: ConnectionBounds,
  handshakeMs: number,
  known: KnownClients,
): Places {
  const shares = { kept: Math.floor(all * KEPT), early: Math.floor(all * EARLY) };
  const places = new Places({ all, perClient, ...shares, handshakeMs }, known, doorCounts('rest'));
  const of = new WeakMap<Duplex, Place>();
  tlsArrivals(server, places, (place, socket) => void of.set(socket, place));
  const use = (socket: Duplex): Place | undefined => {
    const place = of.get(socket);
    if (place === undefined) return undefined;
    place.isNew = false;
    place.uses++;
    return place;
  };
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const place = use(socket);
    if (place !== undefined) response.once('close', () => void place.uses--);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    // Until its end. Others are requests.
    if (asksForWebSocket(request)) use(socket);
  });
  return places;
}
