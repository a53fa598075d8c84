/** What came by one endpoint: each number with what it stood for, and what was reported lost. */
import { crc32 } from 'node:zlib';
import { Contents } from './contents.js';
import { common, joined, type Range, rangesOf, without } from './ranges.js';

/** As long as a busy machine may take to know what arrived. */
const JUST_BEFORE_S = 5;

/** A connection that ended, and the last number that came by it. */
export interface Ended {
  last: number;
  /** The fault that was going on. */
  during: string;
}

/** How the numbers from 1 to the highest ended. */
export interface Outcome {
  /** Reported lost, and did not arrive. */
  reported: Range[];
  /** Neither arrived nor reported. */
  missing: Range[];
  /** Reported lost, and arrived just before a kill of the gateway or in it: as it may be. */
  reportedAtKill: Range[];
  /** Reported to be lost although they arrived, with no kill near. */
  reportedWrongly: Range[];
}

export class Account {
  highest = 0;
  /** Numbers that came once more with the same content. */
  duplicates = 0;
  /** Numbers that stood for two events. */
  readonly conflicts: number[] = [];
  /** OVERFLOW events that contradict themselves, as they came. */
  readonly oddReported: string[] = [];
  readonly ended: Ended[] = [];
  readonly #contents = new Contents();
  readonly #reported: Range[] = [];
  /** Numbers that arrived, by the second; the oldest first. */
  readonly #lately: number[][] = [];
  readonly #atKill: number[] = [];
  #second = 0;
  #isKilled = false;

  constructor(readonly name: string) {}

  /** Different numbers. */
  get arrived(): number {
    return this.#contents.size;
  }

  /** @param message An event, or a batch of them. @returns The last number in it; 0: it has none. */
  take(message: string): number {
    let last = 0;
    for (const event of [JSON.parse(message)].flat()) {
      last = event.data.eventNum;
      this.highest = Math.max(this.highest, last);
      if (event.type === 'OVERFLOW') this.#overflow(event);
      else this.#event(last, JSON.stringify(event));
    }
    return last;
  }

  #event(number: number, text: string): void {
    // 0 says that nothing came.
    const sum = crc32(text) || 1;
    const before = this.#contents.set(number, sum);
    if (before === sum) this.duplicates++;
    else if (before !== undefined) this.conflicts.push(number);
    if (this.#isKilled) this.#atKill.push(number);
    this.#remember(number);
  }

  #overflow(event: { data: { firstEventNum: number; lastEventNum: number; lost: number } }): void {
    const { firstEventNum: first, lastEventNum: last, lost } = event.data;
    const isSane = first >= 1 && last >= first && lost >= 0 && lost <= last - first + 1;
    if (isSane) this.#reported.push({ first, last });
    else this.oddReported.push(JSON.stringify(event));
  }

  #remember(number: number): void {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second || this.#lately.length === 0) {
      this.#second = second;
      this.#lately.push([]);
      if (this.#lately.length > JUST_BEFORE_S) this.#lately.shift();
    }
    this.#lately.at(-1)?.push(number);
  }

  /** @param isKilled From now on the gateway is being killed; false: it is up. */
  kill(isKilled: boolean): void {
    this.#isKilled = isKilled;
    if (isKilled) for (const number of this.#lately.flat()) this.#atKill.push(number);
  }

  outcome(): Outcome {
    const arrived = this.#contents.ranges();
    const reported = joined(this.#reported);
    const both = common(reported, arrived);
    const excused = rangesOf(this.#atKill);
    const every: Range[] = this.highest === 0 ? [] : [{ first: 1, last: this.highest }];
    return {
      reported: without(reported, arrived),
      missing: without(without(every, arrived), reported),
      reportedAtKill: common(both, excused),
      reportedWrongly: without(both, excused),
    };
  }
}
