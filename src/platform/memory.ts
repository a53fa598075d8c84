/** Memory of this machine. */
import { readFileSync } from 'node:fs';
import { freemem, totalmem } from 'node:os';
import { join } from 'node:path';

export interface SpaceBytes {
  total: number;
  free: number;
  used: number;
}

/**
 * Bytes. Free is what programs can still get, caches included, as the kernel estimates it.
 * @param root Of the file system that holds /proc.
 */
export function readMemory(root = '/'): SpaceBytes {
  let text = '';
  try {
    text = readFileSync(join(root, 'proc/meminfo'), 'utf8');
  } catch {
    // Not a Linux machine: the runtime knows a little less.
  }
  const total = bytesOf(text, 'MemTotal') ?? totalmem();
  const free = bytesOf(text, 'MemAvailable') ?? bytesOf(text, 'MemFree') ?? freemem();
  return { total, free, used: total - free };
}

function bytesOf(text: string, name: string): number | undefined {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text);
  return found?.[1] === undefined ? undefined : Number(found[1]) * 1024;
}
