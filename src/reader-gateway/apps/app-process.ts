/** The process of an application: started, started again when it fails, and stopped. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Backoff } from '../../shared/backoff.js';
import { errorMessage, SingulateError } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import type { APP_STATES } from '../api/user-apps.js';
import { endWithService } from './end-with-service.js';
import type { Launch } from './launch.js';
import { killLeftovers, rememberProcess } from './leftovers.js';
import type { AppManifest } from './manifest.js';
import { RotatingLog } from './rotating-log.js';
import { signalGroup } from './signal-group.js';

export type AppState = (typeof APP_STATES)[number];

export interface ProcessTimes {
  /** From SIGTERM to SIGKILL. */
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

export interface ProcessSpec {
  name: string;
  restart: NonNullable<AppManifest['restart']>;
  launch(): Promise<Launch>;
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
  #child: ChildProcess | undefined;
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

  get pid(): number | undefined {
    return this.#child?.pid;
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
    const { pid } = this;
    if (pid !== undefined) {
      signalGroup(pid, 'SIGTERM');
      const insist = setTimeout(() => signalGroup(pid, 'SIGKILL'), this.#times.graceMs);
      await this.#ended;
      clearTimeout(insist);
    }
    this.state = 'stopped';
  }

  async #launch(): Promise<void> {
    await killLeftovers(this.#spec.run, this.#spec.uid, this.#spec.socket);
    const { file, args, options } = await this.#spec.launch();
    if (this.#stopping) return;
    const child = spawn(file, args, options);
    const hasEnded = child.pid === undefined ? () => {} : endWithService(child.pid);
    const exit = once(child, 'exit') as Promise<[number | null, string | null]>;
    // Without a process there is an error instead.
    exit.catch(() => {});
    await once(child, 'spawn');
    // A failed kill is an 'error' of the child as well.
    child.on('error', (err) => this.#log.warn({ err, app: this.#spec.name }, 'user application'));
    const startedAt = performance.now();
    this.#startedAt = startedAt;
    this.#child = child;
    this.state = 'running';
    const output = new RotatingLog(this.#spec.log, (err) =>
      this.#log.warn({ err, app: this.#spec.name }, 'the output of a user application is lost'),
    );
    child.stdout?.pipe(output, { end: false });
    child.stderr?.pipe(output, { end: false });
    this.#ended = exit.then(async ([code, signal]) => {
      const { pid } = child;
      // What it started goes with it, and lets go of its pipes.
      if (pid !== undefined) signalGroup(pid, 'SIGKILL');
      hasEnded();
      await killLeftovers(this.#spec.run, this.#spec.uid, this.#spec.socket).catch(() => {});
      await outputEnd(child);
      output.end();
      this.#child = undefined;
      this.#afterEnd(code, signal, performance.now() - startedAt);
    });
    await rememberProcess(this.#spec.run, child.pid ?? 0).catch((err) => {
      // A full disk: it runs all the same, and is found by its user if the service is killed.
      this.#log.warn({ err, app: this.#spec.name }, 'user application is not remembered');
    });
    this.#log.info({ app: this.#spec.name, pid: child.pid }, 'user application runs');
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
  const open = [child.stdout, child.stderr].filter((stream) => stream && !stream.closed);
  const signal = AbortSignal.timeout(500);
  await Promise.all(
    open.map(async (stream) => {
      await once(stream as NodeJS.EventEmitter, 'close', { signal }).catch(() => {});
      stream?.destroy();
    }),
  );
}
