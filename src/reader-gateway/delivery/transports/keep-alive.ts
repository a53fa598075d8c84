/** When a TCP client that is gone without a word counts as gone (interface: Limits, rule 8). */
import type { TcpServerOptions } from '../../api/connection.js';

export interface KeepAlive {
  /** Until a silent client counts as gone. */
  totalMs: number;
}

const MIN_TOTAL_MS = 120_000;

/** keepAlive + keepAliveInterval * keepAliveCount, at least two minutes. */
export function keepAliveOf({ additional = {} }: TcpServerOptions): KeepAlive {
  const { keepAlive = 7200, keepAliveInterval = 60, keepAliveCount = 10 } = additional;
  const total = 1000 * (keepAlive + keepAliveInterval * keepAliveCount);
  return { totalMs: Math.max(MIN_TOTAL_MS, total) };
}
