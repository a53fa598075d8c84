/**
 * Listens on TCP with TLS; every client shows a certificate. Loaded only when it is used.
 * Changed certificate files are taken up while it listens.
 */
import { constants } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { type ArrivalRefusal, doorCounts } from '../../shared/arrivals/door-counts.js';
import { KnownClients } from '../../shared/arrivals/known-clients.js';
import { Places } from '../../shared/arrivals/places.js';
import { tlsArrivals } from '../../shared/arrivals/tls-arrivals.js';
import { configError, errorMessage } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import { HANDSHAKE_MS, SERVER_TLS } from '../../shared/server-tls.js';
import type { Arrival } from './connections.js';
import { peerOf } from './peer.js';
import type { OpenDoor } from './socket-door.js';
import { readTlsFiles, stamp, type TlsFiles, type TlsMaterial } from './tls-files.js';

export interface TlsDoor {
  /** The option that says where, as it was given, for messages. */
  option: string;
  host: string;
  port: number;
  files: TlsFiles;
  /** Connections of clients that were let in, or are told why not. */
  maxClients: number;
  /** Beside those: in their handshake. */
  maxEarly: number;
}

export interface TlsDoorEvents {
  onConnection(socket: TLSSocket, arrival: Arrival): void;
  onRefused(): void;
  /** Those who were let in by what no longer counts. */
  closeAll(): void;
}

type Refused = (reason: string, address: string | undefined) => void;

const REASONS: Record<ArrivalRefusal, string> = {
  client: 'too many connections of this address',
  places: 'too many connections',
  replaced: 'it was silent, and another one came',
  late: 'no handshake in time',
  hello: 'it does not speak TLS',
};
const LOOK_MS = 2000;
/** Refused handshakes are logged at most this often, or anybody could fill the log. */
const LOG_EVERY_MS = 1000;

const SETTINGS = {
  ...SERVER_TLS,
  // Without tickets every connection verifies its certificate, also one that was revoked since.
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION | constants.SSL_OP_NO_TICKET,
};

/** @throws CONFIG */
export async function openTlsDoor(
  door: TlsDoor,
  log: Logger,
  events: TlsDoorEvents,
): Promise<OpenDoor> {
  const { option, host, port, files } = door;
  let seen = await stamp(files);
  let material = await readTlsFiles(files);
  const server = createServer({
    ...SETTINGS,
    ...material,
    requestCert: true,
    rejectUnauthorized: true,
    handshakeTimeout: HANDSHAKE_MS,
    ALPNProtocols: ['h2'],
  });
  const places = placesOf(server, door, watchRefused(server, log, events));
  const expiries = new Map<TLSSocket, number>();
  server.on('secureConnection', (socket) => {
    const certificate = socket.getPeerCertificate();
    expiries.set(socket, Date.parse(certificate.valid_to));
    socket.once('close', () => expiries.delete(socket));
    const peer = peerOf(certificate);
    if (typeof peer !== 'string') places.known.saw(socket.remoteAddress ?? '');
    events.onConnection(
      socket,
      typeof peer === 'string' ? { via: 'tls', fault: peer } : { via: 'tls', ...peer },
    );
  });
  await listen(server, option, host, port);

  /** Files are replaced one after the other: until they fit, what was there goes on. */
  const look = async () => {
    for (const [socket, until] of expiries) if (until < Date.now()) socket.destroy();
    const now = await stamp(files);
    if (now === seen) return;
    seen = now;
    try {
      const fresh = await readTlsFiles(files);
      server.setSecureContext({ ...SETTINGS, ...fresh });
      if (!sameTrust(material, fresh)) events.closeAll();
      material = fresh;
      log.info('gRPC took up its changed certificate files');
    } catch (error) {
      log.warn({ reason: errorMessage(error) }, 'changed certificate files of gRPC are not used');
    }
  };
  let looking = Promise.resolve();
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, LOOK_MS).unref();
  return {
    close: async () => {
      clearInterval(timer);
      server.close();
      places.closeAll();
      await looking;
    },
  };
}

function placesOf(server: Server, { maxClients, maxEarly }: TlsDoor, refused: Refused): Places {
  const all = maxClients + maxEarly;
  const places = new Places(
    { all, perClient: all, kept: 0, early: maxEarly, handshakeMs: HANDSHAKE_MS },
    new KnownClients(),
    doorCounts('grpc'),
    (reason, address) => refused(REASONS[reason], address),
  );
  // With a certificate it is no stranger, and has its place for as long as it likes.
  tlsArrivals(server, places, (place) => void place.uses++);
  return places;
}

function sameTrust(old: TlsMaterial, fresh: TlsMaterial): boolean {
  const crl = (one: TlsMaterial) => one.crl ?? Buffer.alloc(0);
  return old.ca.equals(fresh.ca) && crl(old).equals(crl(fresh));
}

/** @returns To be told of those who do not come as far as TLS. */
function watchRefused(server: Server, log: Logger, events: TlsDoorEvents): Refused {
  let loggedAt = Number.NEGATIVE_INFINITY;
  const refused: Refused = (reason, address) => {
    events.onRefused();
    if (performance.now() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = performance.now();
    log.warn({ address, reason }, 'gRPC refused a TLS client');
  };
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    // Node says why a certificate is wrong beside the error, which is only that the connection ended.
    const { authorizationError } = socket;
    refused(String(authorizationError ?? error.code ?? error.message), socket.remoteAddress);
    socket.destroy();
  });
  return refused;
}

async function listen(server: Server, option: string, host: string, port: number): Promise<void> {
  server.listen({ host, port });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw configError(`gRPC cannot listen on ${option}: ${errorMessage(error)}`);
  }
}
