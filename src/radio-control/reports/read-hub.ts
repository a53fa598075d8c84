/**
 * Gives reports to all streams. Reports are numbered from 1 in the order in which they were made,
 * and kept in one log; a stream is a place in it, so a slow one costs nobody anything.
 */
import { invalid } from '../../shared/errors.js';
import type { EncodedReads } from './encode-reads.js';
import { type LogLimits, ReadLog } from './read-log.js';
import { ReadStream, type StreamSettings, type StreamTransport } from './read-stream.js';
import { ReadView, type ViewSettings } from './read-view.js';

/** Half a minute of a busy reader, some 3 MB. Reads with much memory reach the other limit. */
export const LOG_LIMITS: LogLimits = { reads: 32_768, bytes: 16 * 1024 * 1024 };

/** Where a stream begins. */
export type StreamStart =
  | { from: 'now' }
  | { from: 'oldest' }
  /** After that report; of a log that is gone: with the oldest. */
  | { from: 'after'; logId: string; sequence: number };

export interface SubscribeOptions extends Omit<StreamSettings, 'view'> {
  start: StreamStart;
  /** undefined: every report with all fields. */
  view: ViewSettings | undefined;
}

export interface HubOptions {
  /** The hub is no longer blocked. */
  onUnblocked: () => void;
  limits?: LogLimits;
}

export class ReadHub {
  readonly #log: ReadLog;
  readonly #limits: LogLimits;
  readonly #onUnblocked: () => void;
  readonly #streams = new Set<ReadStream>();
  /** By what they want, while somebody has them. */
  readonly #views = new Map<string, { view: ReadView; streams: number }>();
  #wasBlocked = false;
  #cutOff = 0;

  constructor({ onUnblocked, limits = LOG_LIMITS }: HubOptions) {
    this.#limits = limits;
    this.#log = new ReadLog(limits);
    this.#onUnblocked = onUnblocked;
  }

  get streams(): readonly ReadStream[] {
    return [...this.#streams];
  }

  get streamCount(): number {
    return this.#streams.size;
  }

  get log(): Pick<ReadLog, 'id' | 'oldestSequence' | 'nextSequence' | 'bytes'> {
    return this.#log;
  }

  /** Streams that were cut off because they held up the log. */
  get cutOff(): number {
    return this.#cutOff;
  }

  /** True if the source must hold back, because a stream that may block has no room. */
  get blocked(): boolean {
    for (const stream of this.#streams) if (this.#holdsUp(stream)) return true;
    return false;
  }

  /** The shortest latency that a client asked for, milliseconds. */
  get latencyMs(): number {
    let least = Number.POSITIVE_INFINITY;
    for (const { latencyMs } of this.#streams) least = Math.min(least, latencyMs);
    return least;
  }

  publish(run: EncodedReads): void {
    if (run.count === 0) return;
    this.#log.append(run);
    let keepFrom = this.#log.nextSequence;
    for (const stream of this.#streams) {
      if (stream.blocks) keepFrom = Math.min(keepFrom, stream.next);
    }
    this.#log.trim(keepFrom);
    for (const stream of this.#streams) {
      stream.onReports();
      if (this.#holdsUp(stream)) {
        this.#wasBlocked = true;
        stream.beginBlocking();
      }
    }
  }

  /** @throws INVALID if the place to begin at does not exist. */
  subscribe(transport: StreamTransport, options: SubscribeOptions): ReadStream {
    const { start, view, ...settings } = options;
    const place = this.#placeOf(start);
    const shared = view === undefined ? undefined : this.#shareView(view);
    const stream = new ReadStream(this.#log, transport, {
      ...settings,
      ...place,
      view: shared?.view,
      onProgress: () => this.#lookAgain(),
      onCutOff: () => this.#cutOff++,
      onClose: () => {
        this.#streams.delete(stream);
        shared?.release();
        this.#lookAgain();
      },
    });
    this.#streams.add(stream);
    stream.begin();
    return stream;
  }

  /** Sends what can be sent, and ends all streams. @returns how many. */
  end(reason: string): number {
    const streams = [...this.#streams];
    for (const stream of streams) stream.end(reason);
    return streams.length;
  }

  #holdsUp(stream: ReadStream): boolean {
    return stream.blocks && this.#log.nextSequence - stream.next >= this.#limits.reads;
  }

  #lookAgain(): void {
    for (const stream of this.#streams) if (!this.#holdsUp(stream)) stream.endBlocking();
    if (!this.#wasBlocked || this.blocked) return;
    this.#wasBlocked = false;
    this.#onUnblocked();
  }

  #placeOf(start: StreamStart): { next: number; dropped: number } {
    const { oldestSequence, nextSequence, id } = this.#log;
    if (start.from === 'now') return { next: nextSequence, dropped: 0 };
    const isHere = start.from === 'after' && start.logId === id;
    if (isHere && start.sequence >= nextSequence) {
      const message = `${start.sequence} given; allowed: at most ${nextSequence - 1}, the last one`;
      throw invalid([{ field: 'start.after_sequence', message }]);
    }
    // Of another log nothing was received: all that it does not keep any more is lost.
    const wanted = isHere ? start.sequence + 1 : 1;
    const next = Math.max(wanted, oldestSequence);
    return { next, dropped: start.from === 'after' ? next - wanted : 0 };
  }

  #shareView(settings: ViewSettings): { view: ReadView; release(): void } {
    const key = JSON.stringify(settings, (_key, value) =>
      value instanceof RegExp ? value.source : value,
    );
    const shared = this.#views.get(key) ?? { view: new ReadView(settings), streams: 0 };
    this.#views.set(key, shared);
    shared.streams++;
    const release = () => {
      if (--shared.streams === 0) this.#views.delete(key);
    };
    return { view: shared.view, release };
  }
}
