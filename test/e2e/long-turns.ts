/** What services say about turns of their event loops that took long. */
import tap, { type Test } from 'tap';
import { LONG_TURN, LONG_TURN_MS } from '../../src/shared/loop-watch.js';

/** @param lines Of the log, parsed. @returns One text for each service whose loop stood. */
export function longTurns(lines: readonly object[]): string[] {
  return lines.flatMap((line) => {
    const { msg, component, busiest } = line as { [key: string]: unknown };
    if (msg !== LONG_TURN) return [];
    const { ms, cpuMs } = busiest as { ms: number; cpuMs: number };
    // What was not of the processor, it waited for the machine.
    if (cpuMs <= LONG_TURN_MS) return [];
    return [`${component}: a turn of its event loop took ${ms} ms, ${cpuMs} ms of the processor`];
  });
}

/** The same of standard output. */
export function longTurnsIn(output: string): string[] {
  const lines = output.split('\n').filter((line) => line.includes(LONG_TURN));
  return longTurns(lines.map((line) => JSON.parse(line)));
}

/**
 * To be called when a test is being torn down: what it has left goes on being taken down, and the
 * file of tests fails.
 */
export function failOnLongTurns(t: Test, stood: readonly string[]): void {
  if (stood.length === 0) return;
  // Only the file itself has nothing above it that could fail.
  if (t === tap) throw new Error(stood.join('\n'));
  for (const text of stood) tap.fail(text);
}
