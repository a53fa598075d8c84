/** The limit of open files: below it the services would end and be started again for ever. */
import { readFileSync } from 'node:fs';
import { configError } from '../shared/errors.js';

/** A service with its endpoints and a few clients has some 40 open. */
const LEAST = 64;

/** @throws CONFIG with one line. */
export function checkOpenFiles(limits = readLimits()): void {
  const most = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  if (most >= LEAST) return;
  throw configError(`the limit of open files is ${most}; at least ${LEAST} are needed (ulimit -n)`);
}

/** What holds for this process, and for those that it starts; empty where the system does not say. */
function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'latin1');
  } catch {
    return '';
  }
}
