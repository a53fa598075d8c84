/** Inputs and outputs over gRPC: what radio-control tells of them, for ever, across its restarts. */
import type { ServiceError } from '@grpc/grpc-js';
import { RadioClient } from '../../contract/client.js';
import { followStream } from '../../contract/follow-stream.js';
import { Line, type LinesUpdate } from '../../contract/messages.js';
import { counterToNumber } from '../../contract/time.js';
import { errorMessage, invalid, SingulateError } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import { toSingulateError } from '../radio/radio-link.js';
import type { Level, LineChange, Lines } from './lines.js';

export class RadioLines implements Lines {
  readonly gpis = new Map<number, Level>();
  readonly gpos = new Map<number, Level>();
  /** What outputs were set to, by this service or by others: a new radio service does not know. */
  readonly #set = new Map<number, Level>();
  readonly #client: RadioClient;
  readonly #log: Logger;
  readonly #listeners = new Set<(change: LineChange) => void>();
  readonly #stop: () => void;
  #known = false;
  #connected = false;
  #dropped = 0;
  #fault = '';

  /**
   * Connects at once, and tries for ever.
   * @param target gRPC target of radio-control.
   */
  constructor(target: string, log: Logger) {
    this.#client = new RadioClient(target);
    this.#log = log;
    this.#stop = followStream(() => this.#client.watchLines(), {
      onMessage: (update) => this.#take(update),
      onDisconnected: () => {
        this.#connected = false;
      },
    });
  }

  /** Why the levels may be out of date; '' = they are those of now. */
  get trouble(): string {
    return this.#connected ? this.#fault : 'the radio is not connected';
  }

  async setGpo(port: number, level: Level): Promise<void> {
    if (!this.#known) throw new SingulateError('UNAVAILABLE', this.trouble);
    if (!this.gpos.has(port)) {
      const ports = [...this.gpos.keys()];
      const allowed =
        ports.length === 0 ? 'this reader has no outputs' : `one of ${ports.join(', ')}`;
      const message =
        ports.length === 0 ? `${port} given; ${allowed}` : `${port} is not ${allowed}`;
      throw invalid([{ field: 'port', message }]);
    }
    try {
      await this.#client.setOutput({ port, high: level === 'HIGH' });
      this.#set.set(port, level);
    } catch (error) {
      const found = toSingulateError(error, 'the output');
      if (found.code !== 'UNAVAILABLE' || !this.#connected) throw found;
      // It is connected, but not to its lines.
      throw new SingulateError('UNAVAILABLE', (error as Partial<ServiceError>).details ?? '');
    }
  }

  onChange(listener: (change: LineChange) => void): () => void {
    // Its own: the same function may listen twice.
    const own = (change: LineChange) => listener(change);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  close(): void {
    this.#stop();
    this.#client.close();
    this.#listeners.clear();
  }

  #take({ lines, complete, dropped, fault }: LinesUpdate): void {
    const lost = counterToNumber(dropped);
    if (lost > this.#dropped) this.#log.warn({ lost: lost - this.#dropped }, 'line changes lost');
    this.#dropped = lost;
    if (fault !== this.#fault && fault !== '') this.#log.warn({ fault }, 'lines are out of order');
    this.#fault = fault;
    // The first levels of all are no changes; those after a loss are.
    const tell = this.#known;
    if (complete) {
      this.#forgetOthers(lines as Line[]);
      this.#connected = true;
      this.#known = true;
    }
    for (const line of lines) this.#note(line as Line, tell);
    if (complete) this.#restore();
    else this.#follow(lines as Line[]);
  }

  /** Others may have set it since. */
  #follow(lines: readonly Line[]): void {
    for (const { kind, port, high } of lines) {
      if (kind === Line.Kind.OUTPUT && this.#set.has(port)) {
        this.#set.set(port, high ? 'HIGH' : 'LOW');
      }
    }
  }

  /** A radio service that was restarted has its outputs at rest. */
  #restore(): void {
    for (const [port, level] of this.#set) {
      const present = this.gpos.get(port);
      if (present === undefined || present === level) continue;
      this.#log.info({ port, state: level }, 'the radio service is new: its output is set again');
      this.setGpo(port, level).catch((error) =>
        this.#log.warn({ port, reason: errorMessage(error) }, 'an output is not set again'),
      );
    }
  }

  /** A radio service that was restarted may have fewer lines. */
  #forgetOthers(lines: readonly Line[]): void {
    const there = (kind: number) =>
      new Set(lines.filter((line) => line.kind === kind).map(({ port }) => port));
    for (const [levels, ports] of [
      [this.gpis, there(Line.Kind.INPUT)],
      [this.gpos, there(Line.Kind.OUTPUT)],
    ] as const) {
      for (const port of levels.keys()) if (!ports.has(port)) levels.delete(port);
    }
  }

  #note({ kind, port, high }: Line, tell: boolean): void {
    const levels = kind === Line.Kind.INPUT ? this.gpis : this.gpos;
    const level: Level = high ? 'HIGH' : 'LOW';
    if (levels.get(port) === level) return;
    levels.set(port, level);
    if (!tell) return;
    const change: LineChange = { kind: kind === Line.Kind.INPUT ? 'gpi' : 'gpo', port, level };
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        // One listener's fault is not the others'.
        this.#log.error({ reason: errorMessage(error), change }, 'a line change was not taken');
      }
    }
  }
}
