/** Runs the whole product as a user does, on free ports and a state folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { freePort } from '../../bench/delivery/free-port.js';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';
import { prepareState } from '../shared/prepared-state.js';
import { longTurns } from './long-turns.js';

export const PASSWORD = 'a test password';

/** The reader makes its own certificate, so clients cannot check it. */
const insecure = new Agent({ connect: { rejectUnauthorized: false } });

export interface LogLine {
  component?: string;
  msg?: string;
  level?: string;
  [key: string]: unknown;
}

export interface Answer {
  status: number;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
  json: any;
}

export interface ProductOptions {
  stateDir?: string;
  args?: string[];
  /** Default: the bundle. 'bootstrap' is what `npm start` runs, which looks first what has to be built. */
  program?: 'bootstrap' | 'bundle';
  /** Without `stateDir`: it makes its login and its certificate itself. Otherwise they are there. */
  isFirst?: boolean;
  /** Default: free ones. */
  restPort?: number;
  mqttPort?: number;
  env?: NodeJS.ProcessEnv;
  /** A turn of an event loop may take long: the test makes it do so. */
  mayStand?: boolean;
}

const PROGRAMS = {
  bootstrap: 'toolchain/bootstrap.mjs',
  bundle: 'dist/bundle/lib/cli.js',
};

/** A start, on a machine that does something else beside it. */
const START_MS = 60_000;
/** How long a request is made again that the radio does not answer. */
const RADIO_MS = 30_000;

type Request = [
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
  authorization?: string,
];

async function newFolder(isFirst: boolean): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'singulate-'));
  if (!isFirst) await prepareState(folder, PASSWORD);
  return folder;
}

export class Product {
  readonly lines: LogLine[] = [];
  stderr = '';
  token = '';

  private constructor(
    readonly process: ChildProcess,
    readonly stateDir: string,
    readonly restPort: number,
    readonly mqttPort: number,
    readonly mayStand: boolean,
  ) {}

  /** Starts it and waits until REST answers, and the radio if it is the simulated one. */
  static async start(options: ProductOptions = {}): Promise<Product> {
    const product = await Product.spawn(options);
    await product.until(() => product.login(), 'REST answers', START_MS);
    if (options.args?.includes('--radio') !== true) {
      const isConnected = async () =>
        (await product.call('GET', '/cloud/status')).json.radioConnection === 'connected';
      await product.until(isConnected, 'the radio is connected', START_MS);
    }
    return product;
  }

  static async spawn(options: ProductOptions = {}): Promise<Product> {
    const { stateDir, args = [], program = 'bundle', isFirst = false, mayStand = false } = options;
    const folder = stateDir ?? (await newFolder(isFirst));
    const { restPort = await freePort(), mqttPort = await freePort() } = options;
    const child = spawn(
      process.execPath,
      [
        join(PACKAGE_ROOT, PROGRAMS[program]),
        'start',
        ...['--state-dir', folder, '--rest-port', String(restPort)],
        ...['--mqtt-port', String(mqttPort), '--log-format', 'json'],
        ...args,
      ],
      // With a channel: it ends with this test, however that ends.
      {
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        cwd: folder,
        env: { ...process.env, SINGULATE_PASSWORD: PASSWORD, ...options.env },
      },
    );
    const product = new Product(child, folder, restPort, mqttPort, mayStand);
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      try {
        product.lines.push(JSON.parse(line));
      } catch {
        product.lines.push({ msg: line });
      }
    });
    child.stderr?.on('data', (chunk) => {
      product.stderr += chunk;
    });
    return product;
  }

  /** For mqtt.js. */
  get mqttLogin(): { username: string; password: string } {
    const password = readFileSync(join(this.stateDir, 'broker-password'), 'utf8').trim();
    return { username: 'local', password };
  }

  get radioTarget(): string {
    return `unix:${join(this.stateDir, 'radio.sock')}`;
  }

  async login(password = PASSWORD): Promise<string> {
    const basic = Buffer.from(`admin:${password}`).toString('base64');
    const answer = await this.call('GET', '/cloud/localRestLogin', undefined, `Basic ${basic}`);
    if (answer.status !== 200) throw new Error(`login: ${answer.status} ${answer.text}`);
    this.token = answer.json.message;
    return this.token;
  }

  /**
   * A request. Where the machine stands still the radio misses its time, and nothing is done, as code 4 says:
   * then it is made again, as any client would.
   */
  async call(...request: Request): Promise<Answer> {
    const deadline = Date.now() + RADIO_MS;
    for (;;) {
      const answer = await this.#ask(...request);
      const isMissed = answer.status === 500 && answer.json?.code === 4;
      if (!isMissed || Date.now() > deadline) return answer;
      await sleep(50);
    }
  }

  async #ask(
    ...[method, path, body, authorization = `Bearer ${this.token}`]: Request
  ): Promise<Answer> {
    const response = await request(`https://127.0.0.1:${this.restPort}${path}`, {
      method,
      dispatcher: insecure,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.body.text();
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      json = undefined;
    }
    return { status: response.statusCode, text, json };
  }

  /** Waits until `check` gives something true; its errors count as "not yet". */
  async until<T>(
    check: () => T | Promise<T>,
    what: string,
    timeoutMs = 30_000,
  ): Promise<Exclude<T, undefined | false>> {
    const deadline = Date.now() + timeoutMs;
    let last: unknown;
    while (Date.now() < deadline) {
      try {
        const value = await check();
        if (value) return value as Exclude<T, undefined | false>;
      } catch (error) {
        last = error;
      }
      if (this.process.exitCode !== null || this.process.signalCode !== null) break;
      await sleep(50);
    }
    const log = this.lines.slice(-15).map((line) => JSON.stringify(line));
    throw new Error(
      `waited in vain until ${what}; ${last ?? ''}\nexit ${this.process.exitCode} ${this.stderr}\n${log.join('\n')}`,
    );
  }

  /** Process ids of a service, by the script it runs. */
  pidsOf(service: 'radio-control' | 'reader-gateway'): number[] {
    // As it is compiled, and as it is bundled.
    const scripts = [`${service}/main.js`, `lib/${service}.js`];
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        try {
          const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
          const isIt = scripts.some((script) => command.includes(script));
          return isIt && command.includes(this.stateDir);
        } catch {
          return false;
        }
      })
      .map(Number);
  }

  /** Ends it as Ctrl-C does. @returns its exit code. */
  async stop(): Promise<number | null> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      this.process.kill('SIGTERM');
      await once(this.process, 'exit');
    }
    return this.process.exitCode;
  }

  /** Ends the test with it. @throws if an event loop stood. */
  async dispose(): Promise<void> {
    await this.stop();
    rmSync(this.stateDir, { recursive: true, force: true });
    const stood = this.mayStand ? [] : longTurns(this.lines);
    if (stood.length > 0) throw new Error(stood.join('\n'));
  }
}
