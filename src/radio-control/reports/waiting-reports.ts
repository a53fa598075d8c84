/**
 * The reports that wait: for the end of an interval, or for the next report of their tag. Of each
 * sighting the last record with its continuation, the count and the peak. Records lie side by side
 * in one growing buffer.
 */
import { RECORD, RECORD_BYTES } from '../record.js';
import type { ReportSink } from './report-filter.js';

const FIRST_COUNT = 256;
const NO_RSSI = -32768;

export class WaitingReports {
  count = 0;
  #records = Buffer.allocUnsafe(FIRST_COUNT * RECORD_BYTES);
  #seen = new Uint32Array(FIRST_COUNT);
  #peaks = new Int16Array(FIRST_COUNT);
  /** The few that are continued. */
  readonly #continued = new Map<number, Buffer>();

  get memoryBytes(): number {
    return this.#records.length + this.#seen.byteLength + this.#peaks.byteLength;
  }

  /** @returns where it waits. */
  add(): number {
    if (this.count === this.#seen.length) this.#grow();
    const at = this.count++;
    this.#seen[at] = 0;
    this.#peaks[at] = NO_RSSI;
    return at;
  }

  update(at: number, record: Buffer, offset: number, rssi: number): void {
    this.#seen[at] = (this.#seen[at] as number) + 1;
    if (rssi > (this.#peaks[at] as number)) this.#peaks[at] = rssi;
    const more = record[offset + RECORD.more] as number;
    if (more === 0) {
      record.copy(this.#records, at * RECORD_BYTES, offset, offset + RECORD_BYTES);
      if (this.#continued.size > 0) this.#continued.delete(at);
    } else {
      const end = offset + RECORD_BYTES * (1 + more);
      this.#continued.set(at, Buffer.from(record.subarray(offset, end)));
    }
  }

  /** Reads that were counted so far; 0 = nothing waits there. */
  seen(at: number): number {
    return this.#seen[at] as number;
  }

  /** Hundredths of a dBm. */
  peak(at: number): number {
    return this.#peaks[at] as number;
  }

  /** What waited there is in another report. */
  clear(at: number): void {
    this.#seen[at] = 0;
    this.#peaks[at] = NO_RSSI;
    if (this.#continued.size > 0) this.#continued.delete(at);
  }

  /** Hands all of them over, in the order in which they came first. */
  flush(sink: ReportSink): void {
    for (let at = 0; at < this.count; at++) {
      const seen = this.#seen[at] as number;
      if (seen === 0) continue;
      const continued = this.#continued.get(at);
      const peak = this.#peaks[at] as number;
      if (continued === undefined) sink(this.#records, at * RECORD_BYTES, seen, peak);
      else sink(continued, 0, seen, peak);
    }
    this.count = 0;
    this.#continued.clear();
  }

  #grow(): void {
    const count = this.#seen.length * 2;
    const records = Buffer.allocUnsafe(count * RECORD_BYTES);
    this.#records.copy(records);
    this.#records = records;
    const seen = new Uint32Array(count);
    seen.set(this.#seen);
    this.#seen = seen;
    const peaks = new Int16Array(count);
    peaks.set(this.#peaks);
    this.#peaks = peaks;
  }
}
