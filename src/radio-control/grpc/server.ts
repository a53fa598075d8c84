/** The gRPC server of radio-control: singulate.radio.v1.Radio, health and reflection. */
import { chmod, rm } from 'node:fs/promises';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { SERVICE_NAME } from '../../contract/service.js';
import { configError, errorMessage } from '../../shared/errors.js';
import { type RadioParts, radioHandlers, radioServiceDefinition } from './handlers.js';

export interface GrpcServerOptions {
  /** Path of the Unix socket; only this user and group may connect. */
  socket: string;
  /** TCP port on the loopback address as well; undefined = none. */
  tcpPort?: number;
}

export class GrpcServer {
  readonly #server = new Server({
    'grpc.keepalive_time_ms': 30_000,
    // Clients may ping an idle stream every 10 s.
    'grpc.keepalive_permit_without_calls': 1,
  });
  readonly #socket: string;

  private constructor(socket: string) {
    this.#socket = socket;
  }

  /** Throws a CONFIG error if the socket or the port cannot be had. */
  static async listen(parts: RadioParts, options: GrpcServerOptions): Promise<GrpcServer> {
    const server = new GrpcServer(options.socket);
    server.#server.addService(radioServiceDefinition, radioHandlers(parts));
    // A socket file that a killed service left behind would make the bind fail.
    await rm(options.socket, { force: true });
    await server.#bind(`unix:${options.socket}`, `socket ${options.socket}`);
    await chmod(options.socket, 0o660);
    if (options.tcpPort !== undefined) {
      await server.#bind(`127.0.0.1:${options.tcpPort}`, `--grpc-port ${options.tcpPort}`);
    }
    return server;
  }

  /**
   * Adds grpc.health.v1.Health and server reflection. Apart from listen(), because loading
   * them takes longer than all the rest of the start and the first client needs neither.
   */
  async addDiscovery(): Promise<void> {
    const { addHealth } = await import('./health.js');
    addHealth(this.#server, SERVICE_NAME);
    const { addReflection } = await import('./reflection.js');
    addReflection(this.#server);
  }

  async close(): Promise<void> {
    // Streams never end by themselves, so a graceful shutdown would wait for ever.
    this.#server.forceShutdown();
    await rm(this.#socket, { force: true });
  }

  #bind(address: string, what: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.bindAsync(address, ServerCredentials.createInsecure(), (error) => {
        if (error) reject(configError(`gRPC cannot listen on ${what}: ${errorMessage(error)}`));
        else resolve();
      });
    });
  }
}
