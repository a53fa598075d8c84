/** A real Mosquitto on the loopback, and what watches it. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import mqtt from 'mqtt';
import type { Test } from 'tap';
import { Authority, type CertificateAndKey, writePem } from '../gateway/certificates.js';
import { temporaryFolder, until } from '../gateway/reader.js';

const PROGRAM = ['/usr/sbin/mosquitto', '/usr/local/sbin/mosquitto', '/usr/bin/mosquitto'].find(
  existsSync,
);

export interface MosquittoSettings {
  /** Names and passwords; without any, everybody may come. */
  users?: Record<string, string>;
  /** Clients need TLS. */
  tls?: boolean;
  /** ... and a certificate of the same authority. */
  requireCertificate?: boolean;
  webSockets?: boolean;
}

/**
 * Has two ports: one as the settings say, for the reader, and one without any of them, for tests
 * to watch what arrives. Its sessions and retained messages survive a stop.
 */
export class Mosquitto {
  /** The port under test. */
  readonly port: number;
  readonly folder: string;
  readonly authority: Authority;
  /** The file of the authority's certificate. */
  readonly ca: string;
  readonly #config: string;
  readonly #watchPort: number;
  #process: ChildProcess | undefined;
  #exited: Promise<unknown> = Promise.resolve();
  log = '';

  static async start(t: Test, settings: MosquittoSettings = {}): Promise<Mosquitto> {
    if (PROGRAM === undefined) throw new Error('there is no mosquitto on this system');
    const broker = new Mosquitto(temporaryFolder(t), settings, await freePorts(2));
    await broker.start();
    t.teardown(() => broker.kill());
    return broker;
  }

  private constructor(
    folder: string,
    settings: MosquittoSettings,
    [port = 0, watchPort = 0]: readonly number[],
  ) {
    this.folder = folder;
    this.port = port;
    this.#watchPort = watchPort;
    this.authority = new Authority();
    const { cert: ca } = writePem(folder, 'ca', this.authority);
    this.ca = ca;
    this.#config = join(folder, 'mosquitto.conf');
    writeFileSync(this.#config, this.#configText(settings));
  }

  /** Comes back on the same ports, with what it kept. */
  async start(): Promise<void> {
    const child = spawn(PROGRAM ?? '', ['-c', this.#config], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr.on('data', (part) => {
      this.log += part;
    });
    let gone = false;
    this.#exited = new Promise<void>((resolve) => {
      child.on('close', () => {
        gone = true;
        resolve();
      });
    });
    this.#process = child;
    const end = Date.now() + 8000;
    while (!((await accepts(this.port)) && (await accepts(this.#watchPort)))) {
      if (gone || Date.now() > end) throw new Error(`mosquitto does not start:\n${this.log}`);
      await sleep(20);
    }
  }

  /** In good order: it keeps what it shall keep. */
  async stop(): Promise<void> {
    this.#process?.kill('SIGTERM');
    await this.#exited;
  }

  async kill(): Promise<void> {
    this.#process?.kill('SIGKILL');
    await this.#exited;
  }

  /** For tests to watch and to talk. */
  get watchUrl(): string {
    return `mqtt://127.0.0.1:${this.#watchPort}`;
  }

  /** Makes a certificate of the broker's authority; @returns its files. */
  issue(name: string): { cert: string; key: string; pair: CertificateAndKey } {
    const pair = this.authority.issue({ name });
    return { ...writePem(this.folder, name, pair), pair };
  }

  #configText({ users, tls, requireCertificate, webSockets }: MosquittoSettings): string {
    const lines = [
      'log_dest stderr',
      'log_type all',
      'set_tcp_nodelay true',
      'max_queued_messages 100000',
      'persistence true',
      `persistence_location ${this.folder}/`,
      // A root that may not become "mosquitto" in the folder of a test stays root.
      `user ${userInfo().username}`,
      'per_listener_settings true',
      `listener ${this.#watchPort} 127.0.0.1`,
      'allow_anonymous true',
      // libwebsockets takes the name of an interface here, not an address.
      webSockets ? `listener ${this.port}\nprotocol websockets` : `listener ${this.port} 127.0.0.1`,
    ];
    if (users === undefined) {
      lines.push('allow_anonymous true');
    } else {
      const file = join(this.folder, 'passwords');
      writeFileSync(file, '', { mode: 0o600 });
      for (const [name, password] of Object.entries(users)) {
        execFileSync('mosquitto_passwd', ['-b', file, name, password]);
      }
      lines.push('allow_anonymous false', `password_file ${file}`);
    }
    if (tls) {
      const { cert, key } = this.issue('broker');
      lines.push(`cafile ${this.ca}`, `certfile ${cert}`, `keyfile ${key}`);
      if (requireCertificate) lines.push('require_certificate true');
    }
    return `${lines.join('\n')}\n`;
  }
}

/** Found free, all at the same time; who comes first has them. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(async (server) => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return (server.address() as AddressInfo).port;
    }),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

export interface Seen {
  topic: string;
  text: string;
  qos: number;
  retain: boolean;
}

/** Sees everything that arrives at the broker, in its order and with its QoS. */
export class Watcher {
  readonly seen: Seen[] = [];
  readonly client: mqtt.MqttClient;
  readonly #topics: string[];
  isSubscribed = false;

  /** Subscribes before it is there. Its session survives: nothing is missed while it is away. */
  static async start(t: Test, broker: Mosquitto, topics = ['#']): Promise<Watcher> {
    const watcher = new Watcher(broker, topics);
    t.teardown(() => watcher.client.endAsync(true));
    await until('the watcher is there', () => watcher.isSubscribed);
    return watcher;
  }

  private constructor(broker: Mosquitto, topics: string[]) {
    this.#topics = topics;
    this.client = mqtt.connect(broker.watchUrl, {
      clientId: `watcher-${Math.random()}`,
      clean: false,
      reconnectPeriod: 50,
      protocolVersion: 5,
      // Mosquitto holds back what is above, and may change its order then.
      properties: { receiveMaximum: 65_535, sessionExpiryInterval: 3600 },
    });
    this.client.on('error', () => {});
    // Each time: a broker that was killed has forgotten whom it knew.
    this.client.on('connect', () => {
      this.client.subscribe(this.#topics, { qos: 2 }, (error) => {
        this.isSubscribed = !error;
      });
    });
    this.client.on('close', () => {
      this.isSubscribed = false;
    });
    this.client.on('message', (topic, payload, { qos, retain }) => {
      this.seen.push({ topic, text: payload.toString(), qos, retain });
    });
  }

  on(topic: string): Seen[] {
    return this.seen.filter((message) => message.topic === topic);
  }

  /** The numbers of the events of a topic, as they came. */
  numbersOn(topic: string): number[] {
    return this.on(topic).flatMap(({ text }) =>
      [JSON.parse(text)].flat().map((event) => event.data.eventNum),
    );
  }
}
