/**
 * Times from the air to a subscriber. The time in an event is in whole milliseconds, rounded down:
 * what is measured is up to 1 ms more than what it was.
 */

const TIMESTAMP = Buffer.from('"timestamp":"');
const TIMESTAMP_LENGTH = '2026-05-06T07:08:10.000+0000'.length;

export interface Percentiles {
  p50: number;
  p99: number;
  p999: number;
}

export class LatencySamples {
  readonly #values: Float64Array;
  #count = 0;
  /** The wall clock as a number with a fraction, in step with the clock of the events. */
  readonly #origin = wallOrigin();
  #text = '';
  #textMs = 0;

  constructor(most: number) {
    this.#values = new Float64Array(most);
  }

  take(payload: Buffer): void {
    const nowMs = this.#origin + performance.now();
    const at = payload.indexOf(TIMESTAMP) + TIMESTAMP.length;
    const text = payload.toString('latin1', at, at + TIMESTAMP_LENGTH);
    if (text !== this.#text) {
      this.#text = text;
      this.#textMs = Date.parse(text);
    }
    this.#values[this.#count++] = nowMs - this.#textMs;
  }

  clear(): void {
    this.#count = 0;
  }

  percentiles(): Percentiles {
    const sorted = this.#values.subarray(0, this.#count).sort();
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] as number;
    return { p50: at(0.5), p99: at(0.99), p999: at(0.999) };
  }
}

/** What the wall clock says when performance.now() is 0, to a few microseconds. */
function wallOrigin(): number {
  const before = Date.now();
  let now = before;
  while (now === before) now = Date.now();
  return now - performance.now();
}
