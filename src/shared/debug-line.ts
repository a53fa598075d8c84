/** Lines at DEBUG, also of what happens thousands of times a second: bounded, with what was left out. */
import type { Logger } from './log.js';

/** Of each kind of line in a second: what a person reads, and far below what the files can take. */
export const MOST_PER_SECOND = 20;
const SECOND_MS = 1000;

interface Second {
  beginsMs: number;
  lines: number;
  leftOut: number;
}

const seconds = new WeakMap<Logger, Map<string, Second>>();

/**
 * Costs one comparison while DEBUG is off.
 * @param text Of the line, which is its kind: one of a few that the code has, never made of data.
 * @param fields Made only for a line that is written. Nothing secret.
 */
export function debugLine(log: Logger, text: string, fields: () => object): void {
  if (!log.isLevelEnabled('debug')) return;
  const kinds = seconds.get(log) ?? new Map<string, Second>();
  seconds.set(log, kinds);
  const now = performance.now();
  let second = kinds.get(text);
  let leftOut = 0;
  if (second === undefined || now >= second.beginsMs + SECOND_MS) {
    leftOut = second?.leftOut ?? 0;
    second = { beginsMs: now, lines: 0, leftOut: 0 };
    kinds.set(text, second);
  }
  if (second.lines >= MOST_PER_SECOND) {
    second.leftOut++;
    return;
  }
  second.lines++;
  log.debug({ ...fields(), ...(leftOut === 0 ? {} : { leftOutBefore: leftOut }) }, text);
}

/** Milliseconds since `sinceMs` of performance.now(), for such a line. */
export function elapsedMs(sinceMs: number): number {
  return Math.round((performance.now() - sinceMs) * 10) / 10;
}
