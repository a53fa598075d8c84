/** Servers that certificates are fetched from: HTTPS, and FTPS of both kinds. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';
import type { Test } from 'tap';
import type { CertificateAndKey } from './certificates.js';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** @returns https://127.0.0.1:PORT */
export async function httpsServer(
  t: Test,
  pair: CertificateAndKey,
  handler: Handler,
  options: object = {},
): Promise<string> {
  const server: HttpsServer = createHttpsServer({ ...pair, ...options }, handler);
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export interface FtpsSettings {
  pair: CertificateAndKey;
  kind: 'implicit' | 'explicit';
  user: string;
  password: string;
  files: Record<string, Buffer>;
  /** Takes the connection for a file, and sends nothing. */
  stalls?: boolean;
}

/** Knows what a client needs to fetch a file, and not more. */
export class FtpsServer {
  /** Commands that came, without passwords. */
  readonly commands: string[] = [];
  /** False once a login or a file went without TLS. */
  secure = true;
  port = 0;
  readonly #settings: FtpsSettings;
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();

  private constructor(settings: FtpsSettings) {
    this.#settings = settings;
  }

  static async start(t: Test, settings: FtpsSettings): Promise<FtpsServer> {
    const server = new FtpsServer(settings);
    const onSocket = (socket: Socket) => server.#session(socket);
    const listener =
      settings.kind === 'implicit'
        ? createTlsServer(settings.pair, onSocket)
        : createServer(onSocket);
    server.port = await server.#listen(listener);
    t.teardown(() => server.#close());
    return server;
  }

  async #listen(server: Server): Promise<number> {
    this.#servers.push(server);
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => {});
    });
    server.on('tlsClientError', () => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  #close(): void {
    for (const socket of this.#sockets) socket.destroy();
    for (const server of this.#servers) server.close();
  }

  #session(first: Socket): void {
    const { user, password, files, pair, stalls = false } = this.#settings;
    let socket = first;
    let text = '';
    let name = '';
    let loggedIn = false;
    let data: Promise<Socket> | undefined;
    const reply = (line: string) => socket.write(`${line}\r\n`);
    const run = async (line: string) => {
      const [command = '', ...rest] = line.split(' ');
      const argument = rest.join(' ');
      this.commands.push(command === 'PASS' ? command : line);
      switch (command) {
        case 'AUTH':
          reply('234 go on');
          socket.removeAllListeners('data');
          socket = new TLSSocket(socket, { isServer: true, ...pair });
          socket.on('error', () => {});
          socket.on('data', receive);
          return;
        case 'USER':
          name = argument;
          if (!(socket instanceof TLSSocket)) this.secure = false;
          return reply('331 password');
        case 'PASS':
          loggedIn = name === user && argument === password;
          return reply(loggedIn ? '230 in' : '530 Login incorrect.');
        case 'EPSV': {
          const server = createTlsServer(pair);
          data = new Promise((resolve) => server.once('secureConnection', resolve));
          return reply(`229 Entering (|||${await this.#listen(server)}|)`);
        }
        case 'RETR': {
          const file = files[argument];
          if (!loggedIn) return reply('530 not logged in');
          if (file === undefined) return reply('550 No such file.');
          reply('150 here it comes');
          const to = await data;
          if (stalls) return undefined;
          to?.end(file);
          return reply('226 done');
        }
        case 'PBSZ':
        case 'PROT':
        case 'TYPE':
        case 'STRU':
          return reply('200 fine');
        default:
          return reply('502 not known');
      }
    };
    const receive = (chunk: Buffer) => {
      text += chunk.toString();
      const lines = text.split('\r\n');
      text = lines.pop() ?? '';
      for (const line of lines) void run(line);
    };
    socket.on('error', () => {});
    socket.on('data', receive);
    reply('220 hello');
  }
}
