/** A whole reader-gateway in this process, with the clients that tests need. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Aedes } from 'aedes';
import mqtt from 'mqtt';
import type { Test } from 'tap';
import { ensureLogin } from '../../src/reader-gateway/auth/login-store.js';
import type { EndpointStatus } from '../../src/reader-gateway/endpoint-status.js';
import { Gateway } from '../../src/reader-gateway/gateway.js';
import { createLogger } from '../../src/shared/log.js';
import { FakeRadio } from './fake-radio.js';

export const PASSWORD = 'a password for tests';
const TOPICS = 'singulate/#';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers
  json: any;
}

export async function until(what: string, condition: () => unknown, ms = 20_000): Promise<void> {
  const end = Date.now() + ms;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
    await sleep(10);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into it
function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

export interface SendOptions {
  body?: unknown;
  headers?: Record<string, string>;
}

export function send(
  base: string,
  method: string,
  path: string,
  { body, headers = {} }: SendOptions = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const length = text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) };
    const outgoing = request(
      new URL(path, base),
      { method, headers: { ...length, ...headers }, rejectUnauthorized: false, agent: false },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part) => parts.push(part));
        response.on('end', () => {
          const answer = Buffer.concat(parts).toString();
          const { statusCode = 0, headers: received } = response;
          resolve({ status: statusCode, headers: received, text: answer, json: parsed(answer) });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(text);
  });
}

export function basic(user: string, password: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

/** A broker on the loopback; it can be stopped and started again on its port. */
export class TestBroker {
  #server: Server | undefined;
  #aedes: Aedes | undefined;
  #sockets = new Set<Socket>();
  port = 0;
  /** True: it refuses everybody but listeners. */
  onlyTests = false;

  async start(): Promise<void> {
    const broker = await Aedes.createBroker({
      authenticate: (client, _user, _password, done) =>
        done(null, !this.onlyTests || client.id.startsWith('test-')),
    });
    const server = createServer({ noDelay: true }, (socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      broker.handle(socket);
    });
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
    this.#aedes = broker;
  }

  get url(): URL {
    return new URL(`mqtt://127.0.0.1:${this.port}`);
  }

  /** A connection that came by another server. */
  handle(socket: Socket): void {
    this.#aedes?.handle(socket);
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    await new Promise<void>((resolve) => this.#aedes?.close(resolve));
    await closed;
  }
}

export interface Received {
  topic: string;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages
  json: any;
}

/** Listens to a broker, across its restarts. */
export class Listener {
  readonly messages: Received[] = [];
  readonly client: mqtt.MqttClient;
  subscribed = false;

  constructor(url: URL, topic = TOPICS) {
    this.client = mqtt.connect(url.href, {
      reconnectPeriod: 50,
      clientId: `test-${Math.random()}`,
    });
    this.client.on('error', () => {});
    this.client.on('connect', () => {
      this.client.subscribe(topic, { qos: 1 }, (error) => {
        this.subscribed = !error;
      });
    });
    this.client.on('close', () => {
      this.subscribed = false;
    });
    this.client.on('message', (from, payload) => {
      const text = payload.toString();
      this.messages.push({ topic: from, text, json: parsed(text) });
    });
  }

  on(topic: string): Received[] {
    return this.messages.filter((message) => message.topic === topic);
  }
}

/** An HTTP server that keeps what is posted to it. */
export class PostTarget {
  readonly posts: { headers: IncomingHttpHeaders; json: unknown }[] = [];
  status = 200;
  url = '';
  readonly #server = createHttpServer((incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part) => parts.push(part));
    incoming.on('end', () => {
      response.statusCode = this.status;
      if (this.status < 300) {
        const json = JSON.parse(Buffer.concat(parts).toString());
        this.posts.push({ headers: incoming.headers, json });
      }
      response.end();
    });
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/tags?from=reader`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

export interface ReaderParts {
  stateDir?: string;
  broker?: TestBroker;
  radio?: FakeRadio;
  bootId?: string;
  autostart?: boolean;
}

export class TestReader {
  endpoints: EndpointStatus[] = [];
  gateway!: Gateway;
  #token = '';

  private constructor(
    readonly stateDir: string,
    readonly radio: FakeRadio,
  ) {}

  static async start(t: Test, parts: ReaderParts = {}): Promise<TestReader> {
    const stateDir = parts.stateDir ?? temporaryFolder(t);
    let { radio } = parts;
    if (radio === undefined) {
      const fake = new FakeRadio();
      await fake.listen(radioTarget(stateDir));
      t.teardown(() => fake.kill());
      radio = fake;
    }
    const reader = new TestReader(stateDir, radio);
    await ensureLogin(stateDir, PASSWORD);
    reader.gateway = await Gateway.start({
      stateDir,
      restHost: '127.0.0.1',
      restPort: 0,
      radio: radioTarget(stateDir),
      localBroker: parts.broker?.url,
      bootId: parts.bootId ?? 'this boot',
      autostart: parts.autostart ?? false,
      log: createLogger('reader_gateway', {
        format: 'json',
        fd: 2,
        level: process.env.TEST_LOG ?? 'silent',
      }),
      onEndpoints: (endpoints) => {
        reader.endpoints = endpoints;
      },
    });
    return reader;
  }

  async login(): Promise<Answer> {
    const headers = basic('admin', PASSWORD);
    return send(this.gateway.restUrl, 'GET', '/cloud/localRestLogin', { headers });
  }

  /** A request with a valid token. */
  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    if (this.#token === '') this.#token = (await this.login()).json.message;
    return send(this.gateway.restUrl, method, `/cloud/${path}`, {
      body,
      headers: { authorization: `Bearer ${this.#token}` },
    });
  }

  /** Waits until the statistics say so of all data connections. */
  async dataConnected(): Promise<void> {
    const end = Date.now() + 8000;
    for (;;) {
      const { json } = await this.call('GET', 'status');
      // biome-ignore lint/suspicious/noExplicitAny: the answer
      const states = json.interfaceConnectionStatus.data.map((one: any) => one.connectionStatus);
      if (states.every((state: string) => state === 'connected')) return;
      if (Date.now() > end) throw new Error(`data connections are ${states}`);
      await sleep(20);
    }
  }
}

/** Short enough for a socket in it. */
export function temporaryFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'gw-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function radioTarget(stateDir: string): string {
  return `unix:${join(stateDir, 'r.sock')}`;
}
