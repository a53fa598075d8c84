/** Memory of this machine. */
import { readFileSync } from 'node:fs';
import { freemem, totalmem } from 'node:os';

export interface SpaceBytes {
  total: number;
  free: number;
  used: number;
}

/** Bytes. Free is what programs can still get, caches included, as the kernel estimates it. */
export function readMemory(): SpaceBytes {
  const total = totalmem();
  const free = availableBytes() ?? freemem();
  return { total, free, used: total - free };
}

function availableBytes(): number | undefined {
  try {
    const found = /^MemAvailable:\s+(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8'));
    return found?.[1] === undefined ? undefined : Number(found[1]) * 1024;
  } catch {
    return undefined;
  }
}
