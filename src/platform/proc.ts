/** Where the kernel tells of itself, and of processes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** USER_HZ, which is 100 on every Linux that Node.js runs on. */
const MS_PER_TICK = 10;

export interface ProcessUse {
  /** Processor time since its start. */
  cpuMs: number;
  /** Resident. */
  memoryBytes: number;
}

/**
 * What processes use together: the one with this number, and those of its group. All 0 if it is
 * gone, or on a system without such a folder.
 * @param root Of the file system that holds /proc.
 */
export function readProcessUse(pid: number, root = '/'): ProcessUse {
  const proc = join(root, 'proc');
  const sum: ProcessUse = { cpuMs: 0, memoryBytes: 0 };
  for (const name of entries(proc)) {
    if (!/^\d+$/.test(name)) continue;
    const use = readProcess(join(proc, name), pid, name === String(pid));
    sum.cpuMs += use?.cpuMs ?? 0;
    sum.memoryBytes += use?.memoryBytes ?? 0;
  }
  return sum;
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** @returns undefined if it is another one. */
function readProcess(folder: string, group: number, isLeader: boolean): ProcessUse | undefined {
  try {
    const text = readFileSync(join(folder, 'stat'), 'utf8');
    // The name of the program stands in parentheses, and may hold anything.
    const rest = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, , itsGroup, , , , , , , , , user = 0, system = 0] = rest;
    if (!isLeader && itsGroup !== group) return undefined;
    const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(join(folder, 'status'), 'utf8'));
    return {
      cpuMs: (user + system) * MS_PER_TICK,
      memoryBytes: Number(resident?.[1] ?? 0) * 1024,
    };
  } catch {
    // It has ended since its name was read.
    return undefined;
  }
}

/** Shares of the processor since the call before with the same key, or since the start. */
export class CpuShares {
  readonly #last = new Map<string, { cpuMs: number; atMs: number }>();

  /** @returns Percent of all processors together, with one decimal. */
  percent(key: string, cpuMs: number, uptimeMs: number, nowMs: number, processors: number): number {
    const before = this.#last.get(key);
    this.#last.set(key, { cpuMs, atMs: nowMs });
    // Less than before: it was restarted.
    const since =
      before === undefined || cpuMs < before.cpuMs ? { cpuMs: 0, atMs: nowMs - uptimeMs } : before;
    const elapsed = nowMs - since.atMs;
    if (elapsed <= 0) return 0;
    return percent(cpuMs - since.cpuMs, elapsed * processors);
  }
}

/** With one decimal; 0 of nothing. */
export function percent(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.round((1000 * part) / whole) / 10;
}
