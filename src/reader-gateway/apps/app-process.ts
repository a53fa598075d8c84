/** The process of an application: started, started again when it fails, and stopped. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { Backoff } from '../../shared/backoff.js';
import { errorMessage, SingulateError } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import type { APP_STATES } from '../api/user-apps.js';
import type { Launch } from './launch.js';
import { killLeftovers, rememberProcess } from './leftovers.js';
import type { AppManifest } from './manifest.js';
import { RotatingLog } from './rotating-log.js';
import { signalGroup } from './signal-group.js';

export type AppState = (typeof APP_STATES)[number];

export interface ProcessTimes {
  /** From SIGTERM to SIGKILL for all; as long again until the launcher is killed as well. */
  graceMs: number;
  backoff: { firstMs: number; maxMs: number };
  /** Who lived this long was well: the next waiting time is the first again. */
  wellAfterMs: number;
}

export const PROCESS_TIMES: ProcessTimes = {
  graceMs: 2000,
  backoff: { firstMs: 500, maxMs: 60_000 },
  wellAfterMs: 30_000,
};

/** A launcher has to end many processes, on a slow machine. */
const FORCE_AFTER_MS = 3000;

export interface ProcessSpec {
  name: string;
  restart: NonNullable<AppManifest['restart']>;
  launch(): Promise<Launch>;
  /** It has ended: what it was given for its life goes. */
  afterEnd(): Promise<void>;
  /** Paths of the log, and of the file that remembers the process. */
  log: string;
  run: string;
  uid: number | undefined;
  /** Path of its socket: its processes carry it in their environment. */
  socket: string;
  /** Its state is another one. */
  onState(state: AppState): void;
}

export class AppProcess {
  #state: AppState = 'stopped';
  #startedAt = 0;
  /** By itself, since it was started. */
  restarts = 0;
  lastEnd = '';
  readonly #spec: ProcessSpec;
  readonly #log: Logger;
  readonly #times: ProcessTimes;
  readonly #backoff: Backoff;
  /** The launcher, which ends when the application and all that it started have ended. */
  #child: ChildProcess | undefined;
  #pid: number | undefined;
  /** Resolves once the end of the child has been dealt with. */
  #ended: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  /** A restart that is under way. */
  #launching: Promise<void> | undefined;
  #stopping = false;

  constructor(spec: ProcessSpec, log: Logger, times: ProcessTimes) {
    this.#spec = spec;
    this.#log = log;
    this.#times = times;
    this.#backoff = new Backoff(times.backoff);
  }

  get state(): AppState {
    return this.#state;
  }

  /** Set after what is told with it, as lastEnd is. */
  set state(state) {
    if (state === this.#state) return;
    this.#state = state;
    this.#spec.onState(state);
  }

  /** Since its program was started last; 0 = it does not run. */
  get uptimeMs(): number {
    return this.state === 'running' ? performance.now() - this.#startedAt : 0;
  }

  /** Of the application itself, once its launcher has told it. */
  get pid(): number | undefined {
    return this.#pid;
  }

  /** Resolves when its program runs. @throws STATE if it cannot be run; then it is not tried again. */
  async start(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#launching;
    if (this.state === 'running') return;
    clearTimeout(this.#timer);
    this.#stopping = false;
    this.restarts = 0;
    this.#backoff.reset();
    try {
      await this.#launch();
    } catch (error) {
      this.lastEnd = `it cannot be started: ${errorMessage(error)}`;
      this.state = 'failed';
      throw new SingulateError('STATE', `${this.#spec.name}: ${this.lastEnd}`);
    }
  }

  /** SIGTERM to it and to all it started, SIGKILL after the grace. Resolves when all are gone. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    await this.#launching;
    const child = this.#child;
    if (child?.pid !== undefined) {
      const { pid } = child;
      const { graceMs } = this.#times;
      signalGroup(pid, 'SIGTERM');
      const insist = setTimeout(() => child.stdio[3]?.destroy(), graceMs);
      const force = setTimeout(() => signalGroup(pid, 'SIGKILL'), graceMs * 2 + FORCE_AFTER_MS);
      await this.#ended;
      clearTimeout(insist);
      clearTimeout(force);
    }
    this.state = 'stopped';
  }

  /** @throws STATE if something of it lives on. */
  endLeftovers(): Promise<void> {
    return killLeftovers(this.#spec.run, this.#spec.uid, this.#spec.socket);
  }

  async #launch(): Promise<void> {
    await this.endLeftovers();
    const { file, args, options } = await this.#spec.launch();
    if (this.#stopping) return this.#spec.afterEnd();
    const child = spawn(file, args, options);
    const exit = once(child, 'exit') as Promise<[number | null, string | null]>;
    // Without a process there is an error instead.
    exit.catch(() => {});
    await once(child, 'spawn');
    // A failed kill is an 'error' of the child as well.
    child.on('error', (err) => this.#log.warn({ err, app: this.#spec.name }, 'user application'));
    const startedAt = performance.now();
    this.#startedAt = startedAt;
    this.#child = child;
    this.#pid = undefined;
    this.state = 'running';
    const told = createInterface({ input: child.stdio[3] as Socket });
    const pidReported = once(told, 'line').then(([line]) => {
      this.#pid = Number(/^pid (\d+)$/.exec(line)?.[1] ?? 0) || undefined;
    });
    child.stdio[3]?.on('error', () => {});
    const output = new RotatingLog(this.#spec.log, (err) =>
      this.#log.warn({ err, app: this.#spec.name }, 'the output of a user application is lost'),
    );
    child.stdout?.pipe(output, { end: false });
    child.stderr?.pipe(output, { end: false });
    this.#ended = exit.then(async ([code, signal]) => {
      const { pid } = child;
      // What it started goes with it, and lets go of its pipes.
      if (pid !== undefined) signalGroup(pid, 'SIGKILL');
      await this.#spec.afterEnd().catch(() => {});
      await this.endLeftovers().catch((err) => {
        this.#log.error({ err, app: this.#spec.name }, 'a user application cannot be ended');
      });
      await outputEnd(child);
      output.end();
      this.#child = undefined;
      this.#pid = undefined;
      this.#afterEnd(code, signal, performance.now() - startedAt);
    });
    await rememberProcess(this.#spec.run, child.pid ?? 0).catch((err) => {
      // A full disk: it runs all the same, and is found by its user if the service is killed.
      this.#log.warn({ err, app: this.#spec.name }, 'user application is not remembered');
    });
    // One that could not be started has ended instead, and told why on its output.
    await Promise.race([pidReported, this.#ended]);
    this.#log.info({ app: this.#spec.name, pid: this.#pid }, 'user application runs');
  }

  #afterEnd(code: number | null, signal: string | null, livedMs: number): void {
    const { name, restart } = this.#spec;
    this.lastEnd = signal ?? `exit code ${code}`;
    if (this.#stopping) return;
    const failed = code !== 0;
    if (restart === 'never' || (restart === 'on-failure' && !failed)) {
      this.state = failed ? 'failed' : 'stopped';
      this.#log.info({ app: name, how: this.lastEnd }, 'user application ended');
      return;
    }
    if (livedMs >= this.#times.wellAfterMs) this.#backoff.reset();
    this.#startLater();
  }

  #startLater(): void {
    const delayMs = Math.round(this.#backoff.next());
    const { name } = this.#spec;
    this.state = 'waiting';
    this.#log.warn({ app: name, how: this.lastEnd, delayMs }, 'user application is started again');
    this.#timer = setTimeout(() => {
      this.restarts++;
      this.#launching = this.#launch().catch((error) => {
        this.lastEnd = `it cannot be started: ${errorMessage(error)}`;
        if (!this.#stopping) this.#startLater();
      });
    }, delayMs);
  }
}

/** The last lines come after the end; somebody who left the session may hold the pipes for ever. */
async function outputEnd(child: ChildProcess): Promise<void> {
  child.stdio[3]?.destroy();
  const open = [child.stdout, child.stderr].filter((stream) => stream && !stream.closed);
  const signal = AbortSignal.timeout(500);
  await Promise.all(
    open.map(async (stream) => {
      await once(stream as NodeJS.EventEmitter, 'close', { signal }).catch(() => {});
      stream?.destroy();
    }),
  );
}
