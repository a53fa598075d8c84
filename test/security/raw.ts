/** Bytes over a raw TLS connection, as no client would send them. */
import { once } from 'node:events';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import type { Test } from 'tap';
import type { TestReader } from '../gateway/reader.js';

export class RawClient {
  text = '';
  closed = false;

  private constructor(readonly socket: TLSSocket) {
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      this.text += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.closed = true;
    });
  }

  static open(t: Test, reader: TestReader, options: ConnectionOptions = {}): Promise<RawClient> {
    return RawClient.openAt(t, reader.gateway.restUrl, options);
  }

  /** @throws if there is no handshake. */
  static async openAt(t: Test, url: string, options: ConnectionOptions = {}): Promise<RawClient> {
    const { hostname, port } = new URL(url);
    const socket = connect({
      host: hostname,
      port: Number(port),
      rejectUnauthorized: false,
      ...options,
    });
    t.teardown(() => socket.destroy());
    await once(socket, 'secureConnect');
    return new RawClient(socket);
  }

  send(text: string): void {
    this.socket.write(text, 'latin1');
  }

  /** Of the answers so far. */
  get statuses(): number[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }
}
