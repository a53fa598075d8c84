/** The HTTPS server of the REST door. */
import type { IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { configError, errorMessage } from '../../shared/errors.js';
import { HANDSHAKE_MS, SERVER_TLS } from '../../shared/server-tls.js';
import { tokenOf } from '../auth/request-token.js';
import {
  ambiguity,
  answerTo,
  MAX_HEADER_BYTES,
  MAX_HEADERS,
  refuse,
} from '../http/request-guard.js';
import {
  NO_STRANGERS,
  STRANGER_LIMITS,
  StrangerDoor,
  type StrangerLimits,
} from '../strangers/stranger-door.js';
import type { WebSocketDoor } from '../streams/websocket-door.js';
import { createApp } from './app.js';
import { ensureCertificate } from './certificate.js';
import { boundConnections, CONNECTION_BOUNDS, type ConnectionBounds } from './connections.js';
import { type Handler, oneAtATime } from './one-at-a-time.js';
import type { RestDependencies } from './routes.js';
import { servingCertificate } from './serving-certificate.js';

export interface RestServer {
  /** https://127.0.0.1:8443 */
  url: string;
  /** New connections get the server certificate that is in use now. */
  renewCertificate(): Promise<void>;
  close(): Promise<void>;
}

export interface RestLimits {
  connections: ConnectionBounds;
  /** From the first byte of a request to the last of its headers, and of its body. */
  headersMs: number;
  requestMs: number;
  /** Without a request. */
  keepAliveMs: number;
  handshakeMs: number;
  /** Of requests without a valid token. */
  strangers: StrangerLimits;
}

const LIMITS: RestLimits = {
  connections: CONNECTION_BOUNDS,
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 30_000,
  handshakeMs: HANDSHAKE_MS,
  strangers: STRANGER_LIMITS,
};
/** How often slow requests are looked for. */
const CHECK_MS = 1000;

/** @throws CONFIG if the port cannot be used. */
export async function startRestServer(
  host: string,
  port: number,
  stateDir: string,
  dependencies: Omit<RestDependencies, 'strangers'>,
  door: WebSocketDoor,
  given: Partial<RestLimits> = {},
): Promise<RestServer> {
  const { certificates } = dependencies.context;
  const limits = { ...LIMITS, ...given };
  const factory = await ensureCertificate(stateDir);
  const serving = async () => ({
    ...(await servingCertificate(certificates, factory, dependencies.log)),
    ...SERVER_TLS,
  });
  const server = createServer({
    ...(await serving()),
    insecureHTTPParser: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    handshakeTimeout: limits.handshakeMs,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(CHECK_MS, limits.headersMs),
  });
  const { known } = dependencies.admission;
  const places = boundConnections(server, limits.connections, limits.handshakeMs, known);
  // node leaves out those above its limit without a word: one more is let in, to be refused.
  server.maxHeadersCount = MAX_HEADERS + 1;
  const { admission } = dependencies;
  const isKnown = (request: IncomingMessage) => admission.isLikely(request, tokenOf(request));
  const strangers = { ...NO_STRANGERS };
  const app = createApp({ ...dependencies, strangers });
  const strangerDoor = new StrangerDoor(isKnown, app.callback(), strangers, limits.strangers);
  server.on('request', guarded(oneAtATime(strangerDoor.handle, isKnown)));
  server.on('clientError', (error, socket) => {
    const answer = answerTo(error);
    if (answer === undefined) socket.destroy();
    else refuse(socket, answer);
  });
  door.attach(server);
  await listen(server, host, port);
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `https://${urlHost(host)}:${bound}`,
    renewCertificate: async () => server.setSecureContext(await serving()),
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Streams are told before connections are cut; the door's are not the server's any more.
      await Promise.all([dependencies.streams.stop(), door.stop()]);
      places.closeAll();
      server.closeAllConnections();
      await closed;
    },
  };
}

function guarded(handler: Handler): Handler {
  return (request, response) => {
    const refused = ambiguity(request);
    if (refused === undefined) handler(request, response);
    // What follows on this connection may be anything.
    else refuse(request.socket, refused);
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'the port is in use' : errorMessage(error);
      reject(configError(`REST cannot listen on ${host} port ${port}: ${reason}`));
    });
    server.listen(port, host, resolve);
  });
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
