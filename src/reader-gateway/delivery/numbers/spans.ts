/** Ranges of event numbers, joined to a few: a record of them has a fixed size. */
import type { Span } from '../retention/ring.js';

/**
 * Joins ranges that follow each other, but none that was reported: it is to be reported again as it is. Beyond
 * `most` of them the first ones are joined all the same: such a range is longer than it has events,
 * and `count` says how many it has.
 */
export function joined(spans: Iterable<Span>, most: number): Span[] {
  const ranges: Span[] = [];
  for (const span of spans) {
    const before = span.reported === true ? undefined : following(ranges, span);
    if (before !== undefined) {
      takeIn(before, span);
      continue;
    }
    ranges.push({ ...span });
    if (ranges.length > most) takeIn(ranges[0] as Span, ...ranges.splice(1, 1));
  }
  return ranges;
}

function following(ranges: readonly Span[], span: Span): Span | undefined {
  for (let index = ranges.length - 1; index >= 0; index--) {
    const range = ranges[index] as Span;
    if (range.lastNum + 1 === span.firstNum) return range.reported === true ? undefined : range;
  }
  return undefined;
}

/** Two that were reported count as reported: the number of the later one is that of both. */
export function takeIn(range: Span, ...spans: readonly Span[]): void {
  for (const span of spans) {
    range.count += span.count;
    range.firstNum = Math.min(range.firstNum, span.firstNum);
    range.lastNum = Math.max(range.lastNum, span.lastNum);
    range.firstAtMs = Math.min(range.firstAtMs, span.firstAtMs);
    range.lastAtMs = Math.max(range.lastAtMs, span.lastAtMs);
    range.reported = range.reported === true && span.reported === true;
  }
}
