/**
 * position.json in the folder of spilled events: where software that had no ledger of numbers kept
 * them. It is read once, and removed.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Span } from './ring.js';

export interface OldPosition {
  /** Events with smaller numbers have been delivered. */
  from: number;
  /** Numbers below may have been used. */
  next: number;
  /** Losses that the client does not know of. */
  untold: Span[];
}

/** @returns undefined if there is none, or none that can be read. */
export function oldPosition(folder: string): OldPosition | undefined {
  try {
    const { from, next, untold } = JSON.parse(readFileSync(pathIn(folder), 'utf8'));
    if (!(from >= 1 && next >= from)) return undefined;
    return { from, next, untold: Array.isArray(untold) ? untold : [] };
  } catch {
    return undefined;
  }
}

export function removeOldPosition(folder: string): void {
  rmSync(pathIn(folder), { force: true });
}

function pathIn(folder: string): string {
  return join(folder, 'position.json');
}
