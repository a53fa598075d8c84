/** What the tests of user applications share: packages, a server that has them, and a reader. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Test } from 'tap';
import { Header } from 'tar';
import type { UserApp } from '../../src/reader-gateway/api/user-apps.js';
import { listen } from './connection-tests.js';
import { type ReaderParts, TestReader, until } from './reader.js';

export interface TarEntry {
  path: string;
  content?: string | Buffer;
  mode?: number;
  type?: 'File' | 'Directory' | 'SymbolicLink' | 'Link' | 'CharacterDevice' | 'FIFO';
  linkpath?: string;
}

/** An archive as it is said, whatever a careful program would think of it. */
export function tarOf(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap(
    ({ path, content = '', mode = 0o644, type = 'File', linkpath }) => {
      const body = Buffer.from(content);
      const header = Buffer.alloc(512);
      const link = linkpath === undefined ? {} : { linkpath };
      new Header({ path, mode, size: body.length, type, uid: 0, gid: 0, ...link }).encode(header);
      return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
    },
  );
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

export function manifest(name: string, more: object = {}): TarEntry {
  const content = JSON.stringify({
    name,
    version: '1.0.0',
    start: ['node', './main.mjs'],
    ...more,
  });
  return { path: 'manifest.json', content };
}

/** An application that stays until it is told to go. */
export const STAYS = `setInterval(() => {}, 1000);`;

export function appPackage(name: string, script: string = STAYS, more: object = {}): Buffer {
  return gzipSync(tarOf([manifest(name, more), { path: 'main.mjs', content: script }]));
}

const PACKERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  '': (bytes) => bytes,
  '.gz': (bytes) => gzipSync(bytes),
  '.xz': (input) => execFileSync('xz', ['-c'], { input }),
  '.zst': (input) => execFileSync('zstd', ['-c', '-q'], { input }),
};

export function debOf(
  data: Buffer,
  { control = '', suffix = '.gz' }: { control?: string; suffix?: string } = {},
): Buffer {
  const pack = PACKERS[suffix] ?? ((bytes: Buffer) => bytes);
  const member = (name: string, bytes: Buffer) =>
    Buffer.concat([
      Buffer.from(
        `${name.padEnd(16)}${'0'.padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'100644'.padEnd(8)}` +
          `${String(bytes.length).padEnd(10)}\`\n`,
      ),
      bytes,
      Buffer.from(bytes.length % 2 === 1 ? '\n' : ''),
    ]);
  return Buffer.concat([
    Buffer.from('!<arch>\n'),
    member('debian-binary', Buffer.from('2.0\n')),
    member('control.tar.gz', gzipSync(tarOf([{ path: './control', content: control }]))),
    member(`data.tar${suffix}`, pack(data)),
  ]);
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A file server; a test may answer by itself. */
export class FileServer {
  readonly files = new Map<string, Buffer>();
  readonly requests: IncomingMessage[] = [];
  answer: Handler = (request, response) => this.serve(request, response);
  url = '';

  async start(t: Test): Promise<void> {
    const server = createServer((request, response) => this.take(request, response));
    this.url = `http://127.0.0.1:${await listen(t, server)}/files`;
  }

  readonly take: Handler = (request, response) => {
    this.requests.push(request);
    this.answer(request, response);
  };

  serve(request: IncomingMessage, response: ServerResponse): void {
    const name = decodeURIComponent(request.url ?? '').replace(/^\/files\//, '');
    const file = this.files.get(name);
    response.statusCode = file === undefined ? 404 : 200;
    response.end(file);
  }

  /** The request that installs a file of this server. */
  request(filename: string, more: object = {}): object {
    return { url: this.url, filename, authenticationType: 'NONE', ...more };
  }
}

/** A reader, and a server with packages beside it. */
export class AppReader {
  private constructor(
    readonly reader: TestReader,
    readonly server: FileServer,
  ) {}

  static async start(t: Test, parts: ReaderParts = {}): Promise<AppReader> {
    const server = new FileServer();
    await server.start(t);
    const reader = await TestReader.start(t, parts);
    t.teardown(() => reader.gateway.stop());
    return new AppReader(reader, server);
  }

  /** Puts a package on the server and installs it. */
  async install(bytes: Buffer, filename = 'package.tar.gz', more: object = {}) {
    this.server.files.set(filename, bytes);
    return this.reader.call('PUT', 'apps/install', this.server.request(filename, more));
  }

  /** @throws if the reader refuses. */
  async installed(bytes: Buffer, filename?: string): Promise<void> {
    const { status, text } = await this.install(bytes, filename);
    if (status !== 200) throw new Error(text);
  }

  /** @throws if the reader refuses. */
  async do(name: string, what: string, body?: object): Promise<void> {
    const { status, text } = await this.reader.call('PUT', `apps/${name}/${what}`, body);
    if (status !== 200) throw new Error(text);
  }

  async list(): Promise<UserApp[]> {
    return (await this.reader.call('GET', 'apps')).json;
  }

  app(name: string): UserApp | undefined {
    return this.reader.gateway.apps.list().find(({ appname }) => appname === name);
  }

  async send(name: string, command: string) {
    return this.reader.call('PUT', `apps/${name}/pass-through`, { userapp: name, command });
  }

  async connected(name: string): Promise<void> {
    await until(`${name} has opened its socket`, () => this.app(name)?.connected);
  }
}

/** As this machine numbers them: an application may see others. */
export function pidsWith(text: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
      } catch {
        return false;
      }
    })
    .map(Number);
}

export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Takes commands by an expression of its script: `(command) => text`. */
export function answering(expression: string, more = ''): string {
  return `
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
const socket = connect(process.env.SINGULATE_APP_SOCKET);
const say = (message) => socket.write(JSON.stringify(message) + '\\n');
const got = [];
const answer = ${expression};
createInterface({ input: socket }).on('line', async (line) => {
  const message = JSON.parse(line);
  if (message.type !== 'COMMAND') return got.push(message);
  const response = await answer(message.command);
  if (response !== undefined) say({ id: message.id, response });
});
socket.on('close', () => process.exit(3));
${more}
`;
}
