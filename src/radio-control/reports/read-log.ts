/**
 * The last reports of this service, encoded, in runs: every stream is a place in it. A run is
 * joined to messages as it is, and shared by all streams.
 */
import { randomUUID } from 'node:crypto';
import type { EncodedReads } from './encode-reads.js';
import { skipReads } from './read-bytes.js';

export interface LoggedRun extends EncodedReads {
  firstSequence: number;
}

export interface LogLimits {
  reads: number;
  bytes: number;
}

export class ReadLog {
  /** Another one for each log: sequence numbers of different logs cannot be compared. */
  readonly id = randomUUID();
  readonly #limits: LogLimits;
  #runs: LoggedRun[] = [];
  /** Runs before it are gone; shift() on a long array would move all the others each time. */
  #head = 0;
  #bytes = 0;
  #next = 1;

  constructor(limits: LogLimits) {
    this.#limits = limits;
  }

  /** That the next report will have; they count from 1. */
  get nextSequence(): number {
    return this.#next;
  }

  /** Of the oldest report that is kept; nextSequence if there is none. */
  get oldestSequence(): number {
    return this.#runs[this.#head]?.firstSequence ?? this.#next;
  }

  get bytes(): number {
    return this.#bytes;
  }

  append({ bytes, count }: EncodedReads): void {
    this.#runs.push({ bytes, count, firstSequence: this.#next });
    this.#next += count;
    this.#bytes += bytes.length;
  }

  /**
   * Forgets the oldest runs beyond the limits, never the newest one.
   * @param keepFrom Reports that somebody holds the log up for.
   */
  trim(keepFrom: number): void {
    const { reads, bytes } = this.#limits;
    while (this.#runs.length - this.#head > 1) {
      const oldest = this.#runs[this.#head] as LoggedRun;
      const end = oldest.firstSequence + oldest.count;
      const full = this.#next - oldest.firstSequence > reads || this.#bytes > bytes;
      if (!full || end > keepFrom) break;
      this.#bytes -= oldest.bytes.length;
      this.#head++;
    }
    if (this.#head >= 1024 && this.#head * 2 >= this.#runs.length) {
      this.#runs.splice(0, this.#head);
      this.#head = 0;
    }
  }

  /**
   * The run that `sequence` lies in, from there on, at most `most` reports; whole runs where that
   * is possible. @param sequence At least the oldest, below the next.
   */
  runAt(sequence: number, most: number): LoggedRun {
    const run = this.#runs[this.#indexOf(sequence)] as LoggedRun;
    const skipped = sequence - run.firstSequence;
    if (skipped === 0 && run.count <= most) return run;
    const count = Math.min(run.count - skipped, most);
    const start = skipReads(run.bytes, 0, skipped);
    const end = skipReads(run.bytes, start, count);
    return { firstSequence: sequence, count, bytes: run.bytes.subarray(start, end) };
  }

  /** By halves: a slow radio leaves many short runs. */
  #indexOf(sequence: number): number {
    let low = this.#head;
    let high = this.#runs.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#runs[middle] as LoggedRun).firstSequence <= sequence) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
