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
import type { PlatformName } from '../../src/platform/platform-name.js';
import type { UpgradeStatus } from '../../src/reader-gateway/api/os-update.js';
import type { EndpointStatus } from '../../src/reader-gateway/endpoint-status.js';
import { Gateway } from '../../src/reader-gateway/gateway.js';
import type { GatewayOptions } from '../../src/reader-gateway/gateway-options.js';
import type { Lines } from '../../src/reader-gateway/io/lines.js';
import { createLogger } from '../../src/shared/log.js';
import { LOG_FOLDER, LogFiles, logLimits } from '../../src/shared/log-files.js';
import { prepareState } from '../shared/prepared-state.js';
import { FakeRadio } from './fake-radio.js';

export const PASSWORD = 'a password for tests';
const TOPICS = 'singulate/#';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers
  json: any;
}

export async function until(what: string, condition: () => unknown, ms = 20_000): Promise<void> {
  const end = Date.now() + ms;
  while (!(await condition())) {
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
  /** As it is, instead of the one that is normalised. */
  path?: string;
}

export function send(
  base: string,
  method: string,
  path: string,
  { body, headers = {}, path: rawPath }: SendOptions = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const length = text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) };
    const outgoing = request(
      new URL(path, base),
      {
        ...(rawPath === undefined ? {} : { path: rawPath }),
        method,
        headers: { ...length, ...headers },
        rejectUnauthorized: false,
        agent: false,
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part) => parts.push(part));
        response.on('end', () => {
          const bytes = Buffer.concat(parts);
          const answer = bytes.toString();
          const { statusCode = 0, headers: received } = response;
          const json = parsed(answer);
          resolve({ status: statusCode, headers: received, text: answer, bytes, json });
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
      socket.on('error', () => {});
      // One that was on its way when it stopped would hold up the end for ever.
      if (this.#server !== server) return void socket.destroy();
      this.#sockets.add(socket);
      broker.handle(socket);
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as AddressInfo).port;
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
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    // Not waited for: it waits for clients whose sockets are gone, and now and then in vain.
    this.#aedes?.close();
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
  /** That the radio service tells. */
  readerModel?: string;
  bootId?: string;
  autostart?: boolean;
  platform?: PlatformName;
  lines?: Lines;
  /** With them it logs, and into them. */
  logFiles?: LogFiles;
  userApps?: GatewayOptions['userApps'];
  restLimits?: NonNullable<GatewayOptions['restLimits']>;
  trustLocalPrograms?: boolean;
  refuseLocalFetches?: boolean;
  certificateFolders?: string[];
  /** Default: it can be rebooted at once. */
  leastUptime?: number;
  /** The password of the state folder stays what it was. */
  keepsLogin?: boolean;
}

export class TestReader {
  endpoints: EndpointStatus[] = [];
  /** Progress of OS updates, as it was told. */
  readonly upgrades: UpgradeStatus[] = [];
  gateway!: Gateway;
  reboots = 0;
  #rebooting: Promise<void> | undefined;
  #token = '';

  private constructor(
    readonly stateDir: string,
    readonly radio: FakeRadio,
    private readonly parts: ReaderParts,
  ) {}

  static async start(t: Test, parts: ReaderParts = {}): Promise<TestReader> {
    const stateDir = parts.stateDir ?? temporaryFolder(t);
    let { radio } = parts;
    if (radio === undefined) {
      const fake = new FakeRadio();
      const { readerModel = fake.capabilities.readerModel } = parts;
      fake.capabilities = { ...fake.capabilities, readerModel };
      await fake.listen(radioTarget(stateDir));
      t.teardown(() => fake.kill());
      radio = fake;
    }
    const reader = new TestReader(stateDir, radio, parts);
    if (parts.keepsLogin !== true) await prepareState(stateDir, PASSWORD);
    reader.gateway = await reader.#start(parts.autostart ?? false);
    return reader;
  }

  #start(autostart: boolean): Promise<Gateway> {
    const { parts, stateDir } = this;
    return Gateway.start({
      stateDir,
      restHost: '127.0.0.1',
      restPort: 0,
      radio: radioTarget(stateDir),
      localBroker: parts.broker?.url,
      bootId: parts.bootId ?? 'this boot',
      autostart,
      ...(parts.platform === undefined ? {} : { platform: parts.platform }),
      lines: parts.lines,
      userApps: parts.userApps,
      ...(parts.restLimits === undefined ? {} : { restLimits: parts.restLimits }),
      trustLocalPrograms: parts.trustLocalPrograms ?? false,
      refuseLocalFetches: parts.refuseLocalFetches ?? false,
      certificateFolders: parts.certificateFolders,
      leastUptime: parts.leastUptime ?? 0,
      log: createLogger('reader_gateway', {
        fd: 2,
        level: process.env.TEST_LOG ?? (parts.logFiles === undefined ? 'silent' : 'info'),
        files: parts.logFiles,
      }),
      logFiles: parts.logFiles,
      onFirmwareUpdateProgress: (status) => void this.upgrades.push(status),
      onReboot: () => {
        this.#rebooting ??= this.#reboot();
      },
      onEndpoints: (endpoints) => {
        this.endpoints = endpoints;
      },
    });
  }

  /** As the process of the gateway does. */
  async #reboot(): Promise<void> {
    await this.gateway.stop();
    this.endpoints = [];
    this.gateway = await this.#start(false);
    this.#rebooting = undefined;
    this.reboots++;
  }

  async login(): Promise<Answer> {
    const headers = basic('admin', PASSWORD);
    return send(this.gateway.restUrl, 'GET', '/cloud/localRestLogin', { headers });
  }

  /** A request with a valid token, before or after a reboot but not while one cuts it off. */
  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    await this.#rebooting;
    try {
      return await this.#call(method, path, body);
    } catch (error) {
      if (this.#rebooting === undefined || method !== 'GET') throw error;
      return this.call(method, path, body);
    }
  }

  async #call(method: string, path: string, body: unknown): Promise<Answer> {
    if (this.#token === '') this.#token = (await this.login()).json.message;
    return send(this.gateway.restUrl, method, `/cloud/${path}`, {
      body,
      headers: { authorization: `Bearer ${this.#token}` },
    });
  }

  /** A request with its path as it is: new URL() tidies up dots. */
  async raw(method: string, path: string, body: unknown): Promise<Answer> {
    const { json } = await this.login();
    return send(this.gateway.restUrl, method, '/', {
      body,
      path,
      headers: { authorization: `Bearer ${json.message}` },
    });
  }

  /** Waits until the statistics say so of all data connections. */
  async dataConnected(): Promise<void> {
    const end = Date.now() + 20_000;
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

/** The log files of a gateway with that state folder. Closed after it: Node.js 26 ends on one that is forgotten. */
export function logFilesOf(t: Test, stateDir: string): LogFiles {
  const files = new LogFiles(join(stateDir, LOG_FOLDER), 'reader_gateway', logLimits(1));
  t.teardown(() => files.close());
  return files;
}

/** Short enough for a socket in it. */
export function temporaryFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'gw-'));
  // Children of a program that was killed may write for a moment longer.
  t.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

export function radioTarget(stateDir: string): string {
  return `unix:${join(stateDir, 'r.sock')}`;
}
