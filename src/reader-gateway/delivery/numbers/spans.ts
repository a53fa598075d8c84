/** Ranges of event numbers, joined to a few: a record of them has a fixed size. */
import type { Span } from '../retention/ring.js';

/**
 * Joins ranges that follow each other. Beyond `most` of them the last one takes in the rest: it is
 * longer than it has events, and `count` says how many it has.
 */
export function joined(spans: Iterable<Span>, most: number): Span[] {
  const ranges: Span[] = [];
  for (const span of spans) {
    const before = following(ranges, span) ?? (ranges.length < most ? undefined : ranges.at(-1));
    if (before === undefined) ranges.push({ ...span });
    else takeIn(before, span);
  }
  return ranges;
}

function following(ranges: readonly Span[], span: Span): Span | undefined {
  for (let index = ranges.length - 1; index >= 0; index--) {
    const range = ranges[index] as Span;
    if (range.lastNum + 1 === span.firstNum) return range;
  }
  return undefined;
}

function takeIn(range: Span, span: Span): void {
  range.count += span.count;
  range.firstNum = Math.min(range.firstNum, span.firstNum);
  range.lastNum = Math.max(range.lastNum, span.lastNum);
  range.firstAtMs = Math.min(range.firstAtMs, span.firstAtMs);
  range.lastAtMs = Math.max(range.lastAtMs, span.lastAtMs);
}
