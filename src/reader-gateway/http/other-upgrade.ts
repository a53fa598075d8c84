/**
 * Requests that ask for another protocol than WebSocket are served as if they had not asked (RFC 9110,
 * section 7.8). Node has taken the connection from its HTTP parser by then: it is given back.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export class OtherUpgrades {
  readonly #server: Pick<Server, 'on' | 'emit'>;
  /** Connections with a request that is not answered yet. */
  readonly #busy = new WeakSet<Duplex>();

  /** @param server Of HTTP over TLS. */
  constructor(server: Pick<Server, 'on' | 'emit'>) {
    this.#server = server;
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.#busy.add(socket);
      response.once('close', () => this.#busy.delete(socket));
    });
  }

  /**
   * @param head What came after the headers of the request.
   * @returns false: it asks for WebSocket, and nothing was done.
   */
  serve(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    if (asksForWebSocket(request)) return false;
    // With a new parser the answers would not stay in their order.
    if (this.#busy.has(socket)) socket.destroy();
    else {
      socket.unshift(Buffer.concat([withoutUpgrade(request), head]));
      this.#server.emit('secureConnection', socket);
    }
    return true;
  }
}

export function asksForWebSocket({ headers }: IncomingMessage): boolean {
  const protocols = (headers.upgrade ?? '').toLowerCase().split(',');
  return protocols.some((protocol) => protocol.trim() === 'websocket');
}

/** The request line and the headers as they came. */
function withoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${rawHeaders[i + 1]}`);
  }
  // As Node reads them.
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
