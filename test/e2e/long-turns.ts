/** What services say about turns of their event loops that took long. */
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

/** The long turns that lines of standard output report. */
export function longTurnsIn(output: string): string[] {
  const lines = output.split('\n').filter((line) => line.includes(LONG_TURN));
  return longTurns(lines.map((line) => JSON.parse(line)));
}
