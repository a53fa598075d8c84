/** The reader that the faults befall: the whole product, as a user starts it. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../bench/delivery/free-port.js';
import { MODE } from '../../bench/delivery/sample-events.js';
import { processesOf } from '../e2e/processes.js';
import { type Answer, Product } from '../e2e/product.js';
import { all, type HttpSink, type MqttSink, type Sinks } from './sinks.js';

export type Service = 'radio-control' | 'reader-gateway';

/** Every read is an event, and no tag stays silent: some 1,300 a second at the dock door. */
export const READING = {
  ...MODE,
  query: { session: 'S0' },
  environment: 'LOW_INTERFERENCE',
};

const STARTS_MS = 120_000;
const GONE_MS = 60_000;
const CALL_MS = 60_000;
/** Retained events leave at this rate, beside those that come. */
const THROTTLE = 3000;

export interface ReaderParts {
  stateDir: string;
  env: NodeJS.ProcessEnv;
  spill: boolean;
  sinks: Sinks;
}

export class Reader {
  product!: Product;
  /** Wall time of the last end in good order. */
  lastStopMs = 0;
  lastExitCode: number | null = null;
  /** What the configuration says, to be changed by faults. */
  reportingInterval = 500;
  keepAlive = 60;
  #ports = { restPort: 0, mqttPort: 0 };

  private constructor(private readonly parts: ReaderParts) {}

  /** Starts a reader that was never set, sets it, and starts to read. */
  static async start(parts: ReaderParts): Promise<Reader> {
    const reader = new Reader(parts);
    reader.#ports = { restPort: await freePort(), mqttPort: await freePort() };
    await reader.begin();
    await reader.must('PUT', 'mode', READING);
    await reader.configure();
    await reader.must('PUT', 'start', { doNotPersistState: false });
    return reader;
  }

  get stateDir(): string {
    return this.parts.stateDir;
  }

  /** Starts the processes. */
  async begin(): Promise<void> {
    const { stateDir, env } = this.parts;
    this.product = await Product.spawn({ stateDir, env, ...this.#ports });
    await this.product.until(() => this.product.login(), 'REST answers', STARTS_MS);
  }

  /** Connections as they are to be now. */
  async configure(): Promise<void> {
    const { qos1, qos0, http } = this.parts.sinks;
    const connections = [this.#mqtt(qos1), this.#mqtt(qos0), this.#http(http)];
    const endpointConfig = { data: { event: { connections } } };
    await this.must('PUT', 'config', { 'READER-GATEWAY': { endpointConfig } });
  }

  #mqtt({ port, qos, account }: MqttSink) {
    return {
      type: 'mqtt',
      name: account.name,
      options: {
        endpoint: { hostName: '127.0.0.1', port, protocol: 'tcp' },
        additional: {
          qos,
          reconnectDelay: 0.2,
          reconnectDelayMax: 1,
          ...(qos === 1 ? { keepAlive: this.keepAlive } : {}),
        },
        publishTopic: ['tags'],
      },
      // In the order of their numbers with QoS 0: what a cut took with it is one piece.
      additionalOptions: { retention: this.#retention(qos === 0 ? 0 : THROTTLE) },
    };
  }

  #http({ port, account }: HttpSink) {
    return {
      type: 'httpPost',
      name: account.name,
      options: {
        URL: `http://127.0.0.1:${port}/tags`,
        additional: { reconnectDelay: 0.2, reconnectDelayMax: 1 },
      },
      additionalOptions: {
        retention: this.#retention(0),
        batching: {
          reportingInterval: this.reportingInterval,
          maxPayloadSizePerReport: 256_000,
        },
      },
    };
  }

  #retention(throttle: number) {
    return { throttle, spillToDisk: this.parts.spill };
  }

  /** A request with a token that holds, also after the clock was set. */
  async call(method: 'GET' | 'PUT', path: string, body?: unknown): Promise<Answer> {
    const answer = await this.#once(method, path, body);
    if (answer.status !== 401) return answer;
    await this.product.login();
    return this.#once(method, path, body);
  }

  #once(method: 'GET' | 'PUT', path: string, body: unknown): Promise<Answer> {
    const late = sleep(CALL_MS, undefined, { ref: false }).then(() => {
      throw new Error(`${method} ${path} got no answer within ${CALL_MS / 1000} s`);
    });
    return Promise.race([this.product.call(method, `/cloud/${path}`, body), late]);
  }

  /** @throws unless it succeeds. */
  async must(method: 'GET' | 'PUT', path: string, body?: unknown): Promise<Answer> {
    const answer = await this.call(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  }

  /** Ended as systemd and Ctrl-C end it. */
  async stop(): Promise<void> {
    const begun = performance.now();
    this.lastExitCode = await this.product.stop();
    this.lastStopMs = performance.now() - begun;
  }

  kill(...services: Service[]): void {
    for (const service of services) {
      for (const pid of this.product.pidsOf(service)) signal(pid, 'SIGKILL');
    }
  }

  /** The command alone; the services end by themselves. */
  async killCommand(): Promise<void> {
    this.product.process.kill('SIGKILL');
    await this.#isGone();
  }

  /** All processes at once. */
  async powerCut(): Promise<void> {
    for (const { pid } of processesOf(this.stateDir)) signal(pid, 'SIGKILL');
    await this.#isGone();
  }

  /** Stands still for so long. */
  async pause(whom: Service | 'command', ms: number): Promise<void> {
    const pids =
      whom === 'command' ? [Number(this.product.process.pid)] : this.product.pidsOf(whom);
    for (const pid of pids) signal(pid, 'SIGSTOP');
    await sleep(ms);
    for (const pid of pids) signal(pid, 'SIGCONT');
  }

  async #isGone(): Promise<void> {
    const { process: command } = this.product;
    if (command.exitCode === null && command.signalCode === null) await once(command, 'exit');
    const end = performance.now() + GONE_MS;
    for (;;) {
      const left = processesOf(this.stateDir).filter(({ pid }) => !isZombie(pid));
      if (left.length === 0) return;
      if (performance.now() > end) {
        throw new Error(`still there: ${left.map(({ command: text }) => text).join(', ')}`);
      }
      await sleep(50);
    }
  }

  /** Waits until it is up, reads, and all endpoints get new events. @throws what it waited for in vain. */
  async readsOn(withinMs: number): Promise<void> {
    const { product } = this;
    const isWell = async () => {
      const { json } = await this.must('GET', 'status');
      const states: string[] = json.interfaceConnectionStatus.data.map(
        (one: { connectionStatus: string }) => one.connectionStatus,
      );
      if (json.radioActivitiy !== 'active') throw new Error(`the radio is ${json.radioActivitiy}`);
      if (states.length !== 3 || states.some((state) => state !== 'connected')) {
        throw new Error(`endpoints are ${states.join(', ')}`);
      }
      return true;
    };
    await product.until(isWell, 'the reader reads and is connected', withinMs);
    const before = all(this.parts.sinks).map(({ account }) => account.arrived);
    await product.until(
      () =>
        all(this.parts.sinks).every(({ account }, index) => {
          if (account.arrived > Number(before[index])) return true;
          throw new Error(`no new event by ${account.name}`);
        }),
      'events come by all endpoints',
      withinMs,
    );
  }

  /** Lines of its log, for people. */
  get lastLines(): string {
    return this.product.lines
      .slice(-30)
      .map((line) => JSON.stringify(line))
      .join('\n');
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}

function isZombie(pid: number): boolean {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
}
