/**
 * A client over TLS that costs as little as it can, so that a server is what is measured: requests
 * that are ready, one at a time on each connection, and answers of which only the end is looked for.
 */
import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';

const HEAD_END = Buffer.from('\r\n\r\n');

export interface ClientCounts {
  answers: number;
  /** Of those: not 2xx. */
  refused: number;
}

export class HttpClient {
  /** Called after each answer: there is room for the next request. */
  onIdle: (client: HttpClient) => void = () => {};
  isBusy = false;
  #rest: Buffer = Buffer.alloc(0);

  private constructor(
    readonly socket: TLSSocket,
    readonly counts: ClientCounts,
  ) {}

  static async open(url: URL, counts: ClientCounts): Promise<HttpClient> {
    // The reader makes its own certificate.
    const socket = connect({
      host: url.hostname,
      port: Number(url.port),
      rejectUnauthorized: false,
    });
    socket.setNoDelay(true);
    await once(socket, 'secureConnect');
    const client = new HttpClient(socket, counts);
    socket.on('data', (chunk: Buffer) => client.#take(chunk));
    socket.on('error', (error) => {
      throw error;
    });
    return client;
  }

  send(request: Buffer): void {
    this.isBusy = true;
    this.socket.write(request);
  }

  close(): void {
    this.socket.destroy();
  }

  #take(chunk: Buffer): void {
    const data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const headEnd = data.indexOf(HEAD_END);
    const head = headEnd < 0 ? '' : data.toString('latin1', 0, headEnd);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
    if (headEnd >= 0 && Number.isNaN(length)) throw new Error(`an answer has no length: ${head}`);
    if (headEnd < 0 || data.length < headEnd + HEAD_END.length + length) {
      this.#rest = data;
      return;
    }
    this.#rest = Buffer.alloc(0);
    this.counts.answers++;
    if (head[9] !== '2') this.counts.refused++;
    this.isBusy = false;
    this.onIdle(this);
  }
}

export function requestBytes(method: string, path: string, token: string, body = ''): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: reader',
    `authorization: Bearer ${token}`,
    'accept: application/json',
    ...(body === ''
      ? []
      : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
