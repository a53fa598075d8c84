/** A server that takes connections and says nothing, for what may be under way only a few times. */
import { createServer, type Socket } from 'node:net';
import type { Test } from 'tap';
import { listen } from '../gateway/connection-tests.js';

export class SilentServer {
  readonly #sockets = new Set<Socket>();
  /** What waits for an answer. */
  #waiting: Promise<unknown>[] = [];
  port = 0;

  static async start(t: Test): Promise<SilentServer> {
    const silent = new SilentServer();
    const server = createServer((socket) => {
      silent.#sockets.add(socket);
      socket.on('close', () => silent.#sockets.delete(socket));
      socket.on('error', () => {});
    });
    silent.port = await listen(t, server);
    return silent;
  }

  get connections(): number {
    return this.#sockets.size;
  }

  /** Requests that this server shall hold up. */
  hold(requests: readonly Promise<unknown>[]): void {
    this.#waiting.push(...requests.map((request) => request.catch(() => {})));
  }

  /** @returns When all of them have ended. */
  async release(): Promise<void> {
    const timer = setInterval(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, 20);
    await Promise.all(this.#waiting);
    clearInterval(timer);
    this.#waiting = [];
  }
}
