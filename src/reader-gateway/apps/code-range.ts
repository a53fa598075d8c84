/** Memory that Node.js sets aside for compiled code, and never fills. */
import { readFileSync } from 'node:fs';

const MB = 1024 * 1024;
/** Smaller ones are used for something. */
const LEAST_BYTES = 32 * MB;
/** What V8 sets aside is a multiple; some of it may be mapped otherwise by the time it is counted. */
const STEP_BYTES = 64 * MB;

let known: number | undefined;

/**
 * From Node.js 24 on half a gigabyte may be written and executed from the start, so that it counts for the
 * limit of a process, as if it were filled.
 *
 * @returns Bytes, of the Node.js that runs this; 0: it sets nothing aside in such a way.
 */
export function codeRangeBytes(): number {
  known ??= bytesIn(readFileSync('/proc/self/maps', 'utf8'));
  return known;
}

/** @param maps As /proc/PID/maps has them. */
export function bytesIn(maps: string): number {
  let bytes = 0;
  for (const [, from, to] of maps.matchAll(/^([\da-f]+)-([\da-f]+) rwxp /gm)) {
    const size = Number.parseInt(to as string, 16) - Number.parseInt(from as string, 16);
    if (size >= LEAST_BYTES) bytes += size;
  }
  return Math.ceil(bytes / STEP_BYTES) * STEP_BYTES;
}
