/** One child process that is kept running: started again when it ends, ever later, for ever. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Backoff } from '../shared/backoff.js';
import { EXIT_CONFIG } from '../shared/errors.js';
import { BEAT, BEATS_WANTED } from '../shared/loop-watch.js';
import type { RestartReason } from '../shared/service-restarts.js';
import { BEAT_LIMITS, type BeatLimits, BeatWatch, LOOK_MS } from './beat-watch.js';
import { splitLines } from './line-splitter.js';
import { MEMORY_ENVIRONMENT, NODE_ARGS } from './service-process.js';

/** A child that lived this long was well: its next end is treated like a first one. */
const WELL_AFTER_MS = 10_000;
/** Time for the last lines of a child that has ended to arrive. */
const LAST_LINES_MS = 500;

export type ServiceState = 'starting' | 'ready' | 'waiting' | 'stopped';
export type OutputStream = 'stdout' | 'stderr';

export interface ServiceSpec {
  name: string;
  script: string;
  /** @param wasReady True once a launch of it was. */
  args(wasReady: boolean): string[];
  /** It is told how often services were started again (shared/service-restarts.ts). */
  receivesRestarts?: boolean;
}

export interface ServiceHandlers {
  onMessage(message: ServiceMessage): void;
  onLine(stream: OutputStream, line: string): void;
  /** It ended by itself and comes back in `delayMs`. */
  onRestart(how: string, delayMs: number): void;
  /** Its process began or ended. */
  onProcess(): void;
  /** Its first launch refused its settings: it is not started again. */
  onRefused(): void;
}

export interface ServiceMessage {
  type: string;
  [key: string]: unknown;
}

export interface ServiceOptions {
  backoff?: { firstMs: number; maxMs: number };
  /** When its event loop counts as standing: then it is killed and started again. */
  beats?: BeatLimits;
}

export class Service {
  state: ServiceState = 'stopped';
  /** Launches after the first. */
  restarts = 0;
  /** Launches after the first, by their reason. */
  readonly restartsBy = new Map<RestartReason, number>();
  readonly #spec: ServiceSpec;
  readonly #handlers: ServiceHandlers;
  readonly #backoff: Backoff;
  readonly #limits: BeatLimits;
  #beats: BeatWatch | undefined;
  #child: ChildProcess | undefined;
  #launches = 0;
  #stopping = false;
  #wasReady = false;
  /** The next end is restarted at once. */
  #well = true;
  #timer: NodeJS.Timeout | undefined;

  constructor(spec: ServiceSpec, handlers: ServiceHandlers, options: ServiceOptions = {}) {
    this.#spec = spec;
    this.#handlers = handlers;
    this.#backoff = new Backoff(options.backoff ?? { firstMs: 250, maxMs: 10_000 });
    this.#limits = options.beats ?? BEAT_LIMITS;
  }

  get name(): string {
    return this.#spec.name;
  }

  get receivesRestarts(): boolean {
    return this.#spec.receivesRestarts ?? false;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): void {
    this.restarts = this.#launches++;
    this.state = 'starting';
    const startedAt = Date.now();
    const child = spawn(
      process.execPath,
      [...NODE_ARGS, this.#spec.script, ...this.#spec.args(this.#wasReady)],
      {
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        env: { ...MEMORY_ENVIRONMENT, ...process.env, [BEATS_WANTED]: '1' },
      },
    );
    this.#child = child;
    this.#handlers.onProcess();
    for (const stream of ['stdout', 'stderr'] as const) {
      const readable = child[stream];
      if (readable) splitLines(readable, (line) => this.#handlers.onLine(stream, line));
    }
    const beats = new BeatWatch(this.#limits);
    this.#beats = beats;
    child.on('message', (message) => this.#take(message));
    let stood = '';
    const watch = setInterval(() => {
      if (stood !== '' || !beats.look()) return;
      stood = `its event loop stood for ${Math.round(beats.silentMs / 1000)} s`;
      child.kill('SIGKILL');
    }, LOOK_MS);
    let ended = false;
    const end = async (code: number | null, how: string) => {
      if (ended) return;
      ended = true;
      clearInterval(watch);
      await lastLines(child);
      const livedMs = Date.now() - startedAt - beats.silentMs;
      if (stood === '') this.#ended(code, how, livedMs, 'ended');
      else this.#ended(code, stood, livedMs, 'loop stood');
    };
    child.on('error', (error) => {
      // Also a failed kill or send is an 'error'; only a child without a process has ended.
      if (child.pid === undefined) void end(null, error.message);
    });
    child.on('exit', (code, signal) => void end(code, signal ?? `exit code ${code}`));
  }

  /** Asks it to end, insists after the grace. Resolves when it is gone. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    const child = this.#child;
    if (child === undefined || !isRunning(child)) {
      this.state = 'stopped';
      return;
    }
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    const insist = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await gone;
    clearTimeout(insist);
    this.state = 'stopped';
  }

  /** To a service that runs; one that does not is told when it does. */
  tell(message: object): void {
    if (this.#child?.connected) this.#child.send(message, () => {});
  }

  /** Ends it without asking. */
  kill(): void {
    this.#stopping = true;
    clearTimeout(this.#timer);
    this.#child?.kill('SIGKILL');
  }

  #take(message: unknown): void {
    if (typeof message !== 'object' || message === null || !('type' in message)) return;
    if (message.type === BEAT) {
      this.#beats?.beat();
      return;
    }
    if (message.type === 'ready') {
      this.state = 'ready';
      this.#wasReady = true;
    }
    this.#handlers.onMessage(message as ServiceMessage);
  }

  #ended(code: number | null, how: string, livedMs: number, reason: RestartReason): void {
    this.#child = undefined;
    this.#handlers.onProcess();
    if (this.#stopping) {
      this.state = 'stopped';
      return;
    }
    if (code === EXIT_CONFIG && this.#launches === 1 && !this.#wasReady) {
      this.state = 'stopped';
      this.#handlers.onRefused();
      return;
    }
    if (livedMs >= WELL_AFTER_MS) {
      this.#well = true;
      this.#backoff.reset();
    }
    const delayMs = this.#well ? 0 : Math.round(this.#backoff.next());
    this.#well = false;
    this.state = 'waiting';
    this.restartsBy.set(reason, (this.restartsBy.get(reason) ?? 0) + 1);
    this.#handlers.onRestart(how, delayMs);
    this.#timer = setTimeout(() => this.start(), delayMs);
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/** A grandchild may hold the pipes open: then what has come so far must do. */
async function lastLines(child: ChildProcess): Promise<void> {
  const open = [child.stdout, child.stderr].filter((stream) => stream && !stream.readableEnded);
  const timeout = AbortSignal.timeout(LAST_LINES_MS);
  await Promise.all(
    open.map((stream) =>
      once(stream as NodeJS.EventEmitter, 'end', { signal: timeout }).catch(() => {}),
    ),
  );
}
