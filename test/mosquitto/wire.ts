/** Stands between reader and broker, and may be cut. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';

export class Wire {
  readonly #sockets = new Set<Socket>();
  /** False: who comes is sent away. */
  isUp = true;
  port = 0;

  /** @param to The port of the broker. */
  static async start(t: Test, to: number): Promise<Wire> {
    const wire = new Wire();
    const server = createServer((socket) => wire.#accept(socket, to));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    wire.port = (server.address() as AddressInfo).port;
    t.teardown(() => {
      server.close();
      wire.cut();
    });
    return wire;
  }

  /** Ends all connections as a pulled cable does, without a goodbye. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  #accept(reader: Socket, to: number): void {
    if (!this.isUp) {
      reader.destroy();
      return;
    }
    const broker = connect(to, '127.0.0.1');
    for (const [one, other] of [
      [reader, broker],
      [broker, reader],
    ] as const) {
      this.#sockets.add(one);
      one.setNoDelay(true);
      one.on('error', () => {});
      one.on('close', () => other.destroy());
      one.pipe(other);
    }
  }
}
