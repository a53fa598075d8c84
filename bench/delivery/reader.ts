/** The product for a bench: its two services as processes of their own, without their supervisor. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import type { EndpointStatus } from '../../src/reader-gateway/endpoint-status.js';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';
import { writeRecording } from './recording.js';
import { MODE } from './sample-events.js';

const PASSWORD = 'a password for the bench';
/** The gateway reports its counters at most once a second. */
const TELLS_WITHIN_MS = 2500;

export interface ReaderOptions {
  reads: number;
  /** Nanoseconds of air time between two reads. */
  spacingNs: number;
  /** Reads come at their air times; otherwise as fast as the gateway takes them. */
  paced: boolean;
  /** More options of node for the gateway. */
  execArgv?: string[];
}

export interface ServiceOptions {
  /** Where the reads come from. */
  radioArgs: readonly string[];
  mode: object;
  /** Options of node for each service. */
  radioNode: readonly string[];
  gatewayNode: readonly string[];
  env?: NodeJS.ProcessEnv;
  /** The program of a service; without it, that of dist/src. */
  script?(name: string): string;
  /** A program, with its arguments, that runs node for a service; without it node runs by itself. */
  under?(name: string): readonly string[];
}

export class BenchReader {
  endpoints: EndpointStatus[] = [];
  restUrl = '';
  token = '';
  // The reader makes its own certificate, so its clients cannot check it.
  readonly #agent = new Agent({ connect: { rejectUnauthorized: false } });

  private constructor(
    readonly stateDir: string,
    readonly radio: ChildProcess | undefined,
    readonly gateway: ChildProcess,
    /** Of a gateway that has its events from nowhere. */
    readonly readyEvents = 0,
  ) {}

  /** A gateway whose events are ready: no radio, nothing to decode, nothing to format. */
  static async startReady(events: number): Promise<BenchReader> {
    const stateDir = mkdtempSync(join(tmpdir(), 'singulate-bench-'));
    const script = fileURLToPath(new URL('./ready-gateway.js', import.meta.url));
    const gateway = fork(script, [stateDir], {
      env: { ...process.env, SINGULATE_PASSWORD: PASSWORD },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const reader = new BenchReader(stateDir, undefined, gateway, events);
    await reader.#ready();
    await reader.#login();
    return reader;
  }

  static async start(options: ReaderOptions): Promise<BenchReader> {
    const stateDir = mkdtempSync(join(tmpdir(), 'singulate-bench-'));
    const recording = join(stateDir, 'reads.csv');
    writeRecording(recording, options.reads, options.spacingNs);
    const pace = options.paced ? [] : ['--fast'];
    return BenchReader.startServices(stateDir, {
      radioArgs: ['--replay', recording, ...pace],
      mode: MODE,
      radioNode: ['--force-node-api-uncaught-exceptions-policy=true'],
      gatewayNode: options.execArgv ?? [],
    });
  }

  static async startServices(stateDir: string, options: ServiceOptions): Promise<BenchReader> {
    const { radioArgs, mode, radioNode, gatewayNode, env = process.env } = options;
    const socket = join(stateDir, 'radio.sock');
    const radio = service('radio-control', ['--socket', socket, ...radioArgs], {
      ...options,
      node: radioNode,
      env,
    });
    const [{ type }] = await firstMessage(radio, 'radio-control');
    if (type !== 'ready') throw new Error(`radio-control: ${type}`);
    const gateway = service(
      'reader-gateway',
      [
        ...['--state-dir', stateDir, '--rest-host', '127.0.0.1', '--rest-port', '0'],
        ...['--radio', `unix:${socket}`, '--boot-id', 'bench'],
      ],
      { ...options, node: gatewayNode, env: { ...env, SINGULATE_PASSWORD: PASSWORD } },
    );
    const reader = new BenchReader(stateDir, radio, gateway);
    await reader.#ready();
    await reader.#login();
    await reader.call('PUT', 'mode', mode);
    return reader;
  }

  get gatewayPid(): number {
    return this.gateway.pid as number;
  }

  get radioPid(): number {
    return this.radio?.pid as number;
  }

  async call(method: 'GET' | 'PUT', path: string, body?: unknown): Promise<unknown> {
    return this.#request(method, path, `Bearer ${this.token}`, body);
  }

  /** The only destinations of tag events from now on, with the settings of all of them. */
  async deliverTo(connections: object[], settings: object = {}): Promise<void> {
    await this.call('PUT', 'config', {
      'READER-GATEWAY': { ...settings, endpointConfig: { data: { event: { connections } } } },
    });
  }

  /** Replays the recording from its start; or sends the events that are ready. */
  async startReading(): Promise<void> {
    if (this.radio === undefined) {
      this.gateway.send(this.readyEvents);
      return;
    }
    // A recording that ran to its end is noticed with a delay; until then a start goes on with it.
    await this.call('PUT', 'stop');
    await this.call('PUT', 'start', { doNotPersistState: true });
  }

  /** Events that the gateway counts as dropped, as far as it has reported. */
  get dropped(): number {
    return this.endpoints.reduce((sum, { dropped }) => sum + dropped, 0);
  }

  /** Dropped events, once the gateway has reported everything that happened until now. */
  async settledDropped(): Promise<number> {
    await sleep(TELLS_WITHIN_MS);
    return this.dropped;
  }

  /** Waits until the gateway, which tells at most once a second, says so of its endpoints. */
  async endpointsSay(what: string, condition: (all: EndpointStatus[]) => boolean): Promise<void> {
    const end = Date.now() + 15_000;
    while (!condition(this.endpoints)) {
      if (Date.now() > end) {
        throw new Error(`${what}: not within 15 s; ${JSON.stringify(this.endpoints)}`);
      }
      await sleep(20);
    }
  }

  async stop(): Promise<void> {
    for (const child of [this.gateway, this.radio]) {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await this.#agent.destroy();
    rmSync(this.stateDir, { recursive: true, force: true });
  }

  #ready(): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      this.gateway.once('exit', (code) => reject(new Error(`reader-gateway exited with ${code}`)));
      this.gateway.on('message', (message: GatewayMessage) => {
        if (message.type === 'endpoints') this.endpoints = message.endpoints;
        if (message.type !== 'ready') return;
        this.restUrl = message.restUrl;
        resolve();
      });
    });
  }

  async #login(): Promise<void> {
    const basic = Buffer.from(`admin:${PASSWORD}`).toString('base64');
    const answer = await this.#request('GET', 'localRestLogin', `Basic ${basic}`);
    this.token = (answer as { message: string }).message;
  }

  async #request(method: 'GET' | 'PUT', path: string, authorization: string, body?: unknown) {
    const response = await request(`${this.restUrl}/cloud/${path}`, {
      method,
      dispatcher: this.#agent,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.body.text();
    if (response.statusCode > 299) throw new Error(`${method} ${path}: ${text}`);
    return text === '' ? {} : JSON.parse(text);
  }
}

type GatewayMessage =
  | { type: 'ready'; restUrl: string }
  | { type: 'endpoints'; endpoints: EndpointStatus[] };

function compiledScript(name: string): string {
  return join(PACKAGE_ROOT, 'dist/src', name, 'main.js');
}

function service(
  name: string,
  args: string[],
  {
    node,
    env,
    script = compiledScript,
    under,
  }: {
    node: readonly string[];
    env: NodeJS.ProcessEnv;
    script?(name: string): string;
    under?(name: string): readonly string[];
  },
): ChildProcess {
  const [program, ...programArgs] = [...(under?.(name) ?? []), process.execPath];
  return fork(script(name), args, {
    execPath: program as string,
    execArgv: [...programArgs, ...node],
    env,
    // Their log lines are not part of the result.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

async function firstMessage(child: ChildProcess, name: string): Promise<[{ type: string }]> {
  const gone = once(child, 'exit').then(([code]) => {
    throw new Error(`${name} exited with ${code}`);
  });
  return (await Promise.race([once(child, 'message'), gone])) as [{ type: string }];
}
