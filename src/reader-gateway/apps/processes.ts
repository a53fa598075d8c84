/** The processes of this machine, as /proc has them. */
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessFacts {
  pid: number;
  session: number;
  /** In ticks since the boot. */
  startTicks: number;
}

export function allPids(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

export function factsOf(pid: number): ProcessFacts | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { pid, session: Number(fields[3]), startTicks: Number(fields[19]) };
  } catch {
    return undefined;
  }
}

/** Those that run as a user; one that has ended and was not asked for yet does nothing any more. */
export function processesOf(uid: number): number[] {
  return allPids().filter((pid) => {
    try {
      const text = readFileSync(`/proc/${pid}/status`, 'utf8');
      if (Number(/^Uid:\t(\d+)/m.exec(text)?.[1]) !== uid) return false;
      const hasEnded = /^State:\t[ZX]/m.test(text) && /^Threads:\t[01]$/m.test(text);
      return !hasEnded;
    } catch {
      return false;
    }
  });
}

export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
