/** Events that were lost and were not reported to the client yet; and the event that reports them. */
import { formatEventTime } from '../../platform/clock.js';
import type { OverflowEvent } from '../api/overflow-event.js';
import { takeIn } from './numbers/spans.js';
import type { Span } from './retention/ring.js';

/** Ranges that are kept apart; beyond that the closest ones become one. */
const MAX_RANGES = 1000;

export class Losses {
  /** By their numbers, ascending. */
  readonly #ranges: Span[] = [];

  get isEmpty(): boolean {
    return this.#ranges.length === 0;
  }

  /** Not reported yet, ascending. */
  get spans(): readonly Span[] {
    return this.#ranges;
  }

  add(span: Span): void {
    const ranges = this.#ranges;
    let index = ranges.length;
    while (index > 0 && (ranges[index - 1] as Span).firstNum > span.firstNum) index--;
    ranges.splice(index, 0, { ...span });
    this.#mergeAt(index);
    this.#mergeAt(index - 1);
    if (ranges.length > MAX_RANGES) this.#mergeAt(0, true);
  }

  /** @returns The first ones, or all; they count as reported. */
  take(most: number = Number.POSITIVE_INFINITY): Span[] {
    return this.#ranges.splice(0, most);
  }

  /**
   * Joins a range with the one after it if nothing lies between them. What was reported once stays as it
   * is: a client that gets it again knows it by its number.
   */
  #mergeAt(index: number, always = false): void {
    const [one, next] = [this.#ranges[index], this.#ranges[index + 1]];
    if (one === undefined || next === undefined) return;
    const isOne = one.lastNum + 1 === next.firstNum && !one.reported && !next.reported;
    if (!always && !isOne) return;
    takeIn(one, next);
    this.#ranges.splice(index + 1, 1);
  }
}

/** Lost events; their times where they are known. */
export type Lost = Pick<Span, 'count' | 'firstNum' | 'lastNum'> &
  Partial<Pick<Span, 'firstAtMs' | 'lastAtMs'>>;

/** An event of type OVERFLOW: it stands in the place of the lost ones, with the number of the last. */
export function overflowEvent({ count, firstNum, lastNum, firstAtMs, lastAtMs }: Lost): string {
  const time = (ms: number) => formatEventTime(Math.floor(ms));
  const event: OverflowEvent = {
    data: {
      eventNum: lastNum,
      firstEventNum: firstNum,
      ...(firstAtMs === undefined ? {} : { firstTimestamp: time(firstAtMs) }),
      lastEventNum: lastNum,
      ...(lastAtMs === undefined ? {} : { lastTimestamp: time(lastAtMs) }),
      lost: count,
    },
    timestamp: time(lastAtMs ?? Date.now()),
    type: 'OVERFLOW',
  };
  return JSON.stringify(event);
}
