/** One running instance for each state dir: a lock file that names the process. */
import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configError, errorMessage } from '../shared/errors.js';

const NAME = 'singulate.lock';
const TRIES = 5;

/**
 * Throws CONFIG if another instance runs here. A lock whose process is gone is taken over.
 * @returns A function that gives the lock back; synchronous, for the exit of the process.
 */
export function takeLock(stateDir: string): () => void {
  const path = join(stateDir, NAME);
  const mine = `${process.pid} ${startTime(process.pid) ?? '?'}\n`;
  for (let i = 0; i < TRIES; i++) {
    if (create(path, mine)) {
      return () => {
        if (read(path) === mine) rmSync(path, { force: true });
      };
    }
    const held = read(path);
    if (held === undefined) continue;
    const holder = livingHolder(held);
    if (holder !== undefined) {
      throw configError(
        `--state-dir: ${stateDir} is in use by another running instance (process ${holder})`,
      );
    }
    removeStale(path, held);
  }
  throw configError(`--state-dir: ${stateDir}: the lock ${path} cannot be had`);
}

/** The lock appears with its content in one step, or not at all. */
function create(path: string, content: string): boolean {
  const temporary = `${path}.${randomUUID()}`;
  try {
    writeFileSync(temporary, content, { mode: 0o600 });
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw configError(`--state-dir: ${path} cannot be written: ${errorMessage(error)}`);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Two instances may find the same stale lock: only the one that moves it away removes it. */
function removeStale(path: string, stale: string): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  // What was moved is the new lock of the other instance: it gets it back.
  if (read(aside) !== stale) create(path, read(aside) ?? '');
  rmSync(aside, { force: true });
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** @returns the process of a lock, if it still runs. Process ids come again; start times do not. */
function livingHolder(content: string): number | undefined {
  const [pid = Number.NaN, started] = content.trim().split(' ').map(Number);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  const now = startTime(pid);
  if (now !== undefined) return now === started || Number.isNaN(started) ? pid : undefined;
  return undefined;
}

/** Ticks from the boot of the machine to the start of a process; undefined if it does not run. */
export function startTime(pid: number): number | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // The name of the program, in brackets, may itself hold blanks and brackets.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields?.[19]);
  return fields === undefined || fields[0] === 'Z' || !Number.isFinite(ticks) ? undefined : ticks;
}
