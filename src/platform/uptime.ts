/** How long this machine runs. */
import { uptime } from 'node:os';

const ASK_MS = 1000;
let askedAt = Number.NEGATIVE_INFINITY;
let answered = 0;

/** Seconds. The kernel is asked at most once a second: it costs more than all else of the statistics. */
export function machineUptimeSeconds(): number {
  const now = performance.now();
  if (now - askedAt >= ASK_MS) {
    answered = uptime();
    askedAt = now;
  }
  return answered + (now - askedAt) / 1000;
}
