/** Memory of this machine. */
import { readFileSync } from 'node:fs';
import { freemem, totalmem } from 'node:os';
import { join } from 'node:path';
import { PROC } from './proc.js';

export interface SpaceBytes {
  total: number;
  free: number;
  used: number;
}

/** Bytes. Free is what programs can still get, caches included, as the kernel estimates it. */
export function readMemory(proc = PROC): SpaceBytes {
  const total = lineBytes(proc, 'MemTotal') ?? totalmem();
  const free = lineBytes(proc, 'MemAvailable') ?? freemem();
  return { total, free, used: total - free };
}

function lineBytes(proc: string, name: string): number | undefined {
  try {
    const text = readFileSync(join(proc, 'meminfo'), 'utf8');
    const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text);
    return found?.[1] === undefined ? undefined : Number(found[1]) * 1024;
  } catch {
    return undefined;
  }
}
