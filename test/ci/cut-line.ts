/** A line between a client and a service, both on Unix sockets, that can be cut and mended. */
import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import type { Test } from 'tap';

export class CutLine {
  readonly #path: string;
  readonly #service: string;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;

  private constructor(path: string, service: string) {
    this.#path = path;
    this.#service = service;
  }

  /** Ends with the test. */
  static async open(t: Test, path: string, service: string): Promise<CutLine> {
    const line = new CutLine(path, service);
    await line.mend();
    t.teardown(() => line.cut());
    return line;
  }

  /** Ends all connections; no more can be made. */
  async cut(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = once(server, 'close');
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async mend(): Promise<void> {
    const server = createServer((client) => {
      const service = createConnection(this.#service);
      for (const [from, to] of [
        [client, service],
        [service, client],
      ] as const) {
        this.#sockets.add(from);
        from.pipe(to);
        from.on('error', () => to.destroy());
        from.on('close', () => {
          this.#sockets.delete(from);
          to.destroy();
        });
      }
    });
    this.#server = server;
    server.listen(this.#path);
    await once(server, 'listening');
  }
}
