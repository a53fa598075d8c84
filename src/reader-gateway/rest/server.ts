/** The HTTPS server of the REST door. */
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { configError, errorMessage } from '../../shared/errors.js';
import type { WebSocketDoor } from '../streams/websocket-door.js';
import { createApp, type RestDependencies } from './app.js';
import { ensureCertificate } from './certificate.js';
import { servingCertificate } from './serving-certificate.js';

export interface RestServer {
  /** https://127.0.0.1:8443 */
  url: string;
  /** New connections get the server certificate that is in use now. */
  renewCertificate(): Promise<void>;
  close(): Promise<void>;
}

/** @throws CONFIG if the port cannot be used. */
export async function startRestServer(
  host: string,
  port: number,
  stateDir: string,
  dependencies: RestDependencies,
  door: WebSocketDoor,
): Promise<RestServer> {
  const { certificates } = dependencies.context;
  const factory = await ensureCertificate(stateDir);
  const serving = async () => ({
    ...(await servingCertificate(certificates, factory, dependencies.log)),
    minVersion: 'TLSv1.2' as const,
  });
  const server = createServer({
    ...(await serving()),
    maxHeaderSize: 16 * 1024,
    requestTimeout: 30_000,
    headersTimeout: 10_000,
    keepAliveTimeout: 30_000,
  });
  server.maxConnections = 200;
  server.on('request', createApp(dependencies).callback());
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
      server.closeAllConnections();
      await closed;
    },
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
