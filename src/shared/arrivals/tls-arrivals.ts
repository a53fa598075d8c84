/**
 * Connections to a TLS server before TLS: each gets a place, says its first message, and waits for
 * a turn of its handshake. Only then it is TLS's.
 */
import type { Socket } from 'node:net';
import type { Server, TLSSocket } from 'node:tls';
import { clientHello } from './client-hello.js';
import { HANDSHAKE_TURNS, type HandshakeTurns } from './handshake-turns.js';
import type { Place, Places } from './places.js';

/**
 * Right after the server was made: what listens for its connections by then gets them later.
 * @param onOpen Its handshake has ended.
 */
export function tlsArrivals(
  server: Server,
  places: Places,
  onOpen: (place: Place, socket: TLSSocket) => void,
  turns: HandshakeTurns = HANDSHAKE_TURNS,
): void {
  const toTls = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  const early = new Map<string, Place>();
  const { counts, known } = places;

  const begin = (place: Place) => {
    if (place.socket.destroyed) return;
    counts.handshakes.begun++;
    for (const listener of toTls) listener.call(server, place.socket);
  };
  server.on('connection', (socket: Socket) => {
    const place = places.take(socket);
    if (place === undefined) return;
    const name = nameOf(socket);
    early.set(name, place);
    let leave = () => {};
    socket.once('close', () => {
      early.delete(name);
      leave();
    });
    // One that breaks is gone, and nothing to report.
    socket.on('error', () => {});
    firstMessage(socket, (isRight) => {
      if (!isRight) {
        places.end(place, 'hello');
        return;
      }
      place.isSilent = false;
      const isKnown = known.has(place.key);
      if (turns.isHeld(isKnown)) counts.handshakes.held++;
      leave = turns.enter(place.key, isKnown, () => begin(place));
    });
  });
  server.on('secureConnection', (socket) => {
    const name = nameOf(socket);
    const place = early.get(name);
    // A connection that HTTP is given a second time.
    if (place === undefined) return;
    early.delete(name);
    place.isEarly = false;
    place.sinceMs = performance.now();
    onOpen(place, socket);
  });
}

/** Of the other end, as long as it is connected; both, TCP and TLS, have it. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** Tells once it is there, and leaves it to be read by TLS. */
function firstMessage(socket: Socket, tell: (isRight: boolean) => void): void {
  let bytes = Buffer.alloc(0);
  const take = (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    const hello = clientHello(bytes);
    if (hello === 'part') return;
    socket.off('data', take);
    socket.off('end', gone);
    socket.pause();
    if (hello === 'whole') socket.unshift(bytes);
    tell(hello === 'whole');
  };
  const gone = () => socket.destroy();
  socket.on('data', take);
  socket.once('end', gone);
}
