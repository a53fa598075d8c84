/** Watches lines and radio of a reader, for ever, across its restarts. */
import type { RadioClient } from '../../contract/client.js';
import { followStream } from '../../contract/follow-stream.js';
import { type Line, type LinesUpdate, RadioState } from '../../contract/messages.js';
import { lineName } from './line-text.js';

const STATUS_MS = 500;

export type WatchedRadio =
  | 'not connected'
  | 'module not connected'
  | 'idle'
  | 'waiting for its start'
  | 'reading';

export interface WatchedLine {
  kind: number;
  port: number;
  high: boolean;
  /** Since the view began. */
  changes: number;
  changedMs: number | undefined;
}

export interface IoWatchHandlers {
  /** A level is known first, or changed. */
  onLine(line: WatchedLine): void;
  onRadio(radio: WatchedRadio): void;
  /** '' = the lines are in order again. */
  onFault(fault: string): void;
}

export class IoWatch {
  readonly #radioClient: RadioClient;
  readonly #handlers: IoWatchHandlers;
  readonly #end: () => void;
  readonly #timer: NodeJS.Timeout;
  #lines = new Map<string, WatchedLine>();
  #radio: WatchedRadio | undefined;
  #fault = '';

  constructor(radio: RadioClient, handlers: IoWatchHandlers) {
    this.#radioClient = radio;
    this.#handlers = handlers;
    this.#end = followStream(() => radio.watchLines(), {
      onMessage: (update) => this.#take(update),
      onConnected: () => void this.#look(),
      onDisconnected: () => this.#setRadio('not connected'),
    });
    this.#timer = setInterval(() => void this.#look(), STATUS_MS);
  }

  get lines(): WatchedLine[] {
    return [...this.#lines.values()].sort((a, b) => a.kind - b.kind || a.port - b.port);
  }

  get radio(): WatchedRadio {
    return this.#radio ?? 'not connected';
  }

  get fault(): string {
    return this.#fault;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#end();
  }

  #take({ lines, complete, fault }: LinesUpdate): void {
    if (complete) {
      const there = new Set((lines as Line[]).map(lineName));
      for (const name of this.#lines.keys()) if (!there.has(name)) this.#lines.delete(name);
    }
    for (const line of lines as Line[]) this.#note(line);
    if (fault === this.#fault) return;
    this.#fault = fault;
    this.#handlers.onFault(fault);
  }

  #note({ kind, port, high }: Line): void {
    const name = lineName({ kind, port });
    const before = this.#lines.get(name);
    if (before?.high === high) return;
    const line =
      before === undefined
        ? { kind, port, high, changes: 0, changedMs: undefined }
        : { kind, port, high, changes: before.changes + 1, changedMs: Date.now() };
    this.#lines.set(name, line);
    this.#handlers.onLine(line);
  }

  async #look(): Promise<void> {
    try {
      const { state, waiting } = await this.#radioClient.getStatus();
      if (state === RadioState.RADIO_STATE_READING) {
        this.#setRadio(waiting ? 'waiting for its start' : 'reading');
      } else {
        this.#setRadio(state === RadioState.RADIO_STATE_IDLE ? 'idle' : 'module not connected');
      }
    } catch {
      this.#setRadio('not connected');
    }
  }

  #setRadio(radio: WatchedRadio): void {
    if (radio === this.#radio) return;
    this.#radio = radio;
    this.#handlers.onRadio(radio);
  }
}
