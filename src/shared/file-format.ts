/**
 * Versions of the files that keep state. A file says its version in `formatVersion`; one that says
 * nothing has version 1, as all of them had before they said so.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { writeFileAtomic } from './atomic-file.js';
import { configError, errorMessage, type SingulateError } from './errors.js';

export const VERSION_KEY = 'formatVersion';
/** Characters of what is given in its place. */
const LONGEST_SHOWN = 60;

/**
 * One step: makes of the content of one version that of the next. Pure. What it is given fits no
 * schema any more: it must not trust its shape.
 */
export type Migration = (content: Readonly<Record<string, unknown>>) => Record<string, unknown>;

class NewerFormat extends Error {
  constructor(from: number, known: number) {
    super(`is of version ${from}, written by newer software; allowed: up to version ${known}`);
  }
}

export interface MigratedContent {
  content: unknown;
  /** Version that the file had. */
  from: number;
  /** Version of the content. */
  to: number;
}

/**
 * @param steps steps[0] leads from version 1 to version 2, and so on.
 * @throws Error for a version that nobody knows, without changing anything.
 */
export function migrate(value: unknown, steps: readonly Migration[]): MigratedContent {
  const to = steps.length + 1;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { content: value, from: 1, to };
  }
  const { [VERSION_KEY]: from = 1, ...rest } = value as Record<string, unknown>;
  if (typeof from !== 'number' || !Number.isInteger(from) || from < 1) {
    const given = JSON.stringify(from).slice(0, LONGEST_SHOWN);
    throw new Error(`${VERSION_KEY}: ${given} is not a version of 1 to ${to}`);
  }
  if (from > to) {
    throw new NewerFormat(from, to);
  }
  const content = steps.slice(from - 1).reduce((before, step) => step(before), rest);
  return { content, from, to };
}

/** What is written for a content of version `version`. */
export function withVersion(content: unknown, version: number): unknown {
  return typeof content === 'object' && content !== null && !Array.isArray(content)
    ? { [VERSION_KEY]: version, ...content }
    : content;
}

const BACKUP = /\.v\d+\.bak$/;

/** Keeps the file as it was before it is migrated. */
export async function keepBackup(path: string, version: number): Promise<void> {
  await writeFileAtomic(`${path}.v${version}.bak`, await readFile(path));
}

/** The CONFIG error of a file that cannot be used: one line that names it, and what to do. */
export function fileError(path: string, error: unknown): SingulateError {
  const message = errorMessage(error).replaceAll('\n', ' ');
  const text = message.startsWith(path) ? message : `${path}: ${message}`;
  const hint =
    error instanceof NewerFormat
      ? 'it is left as it is; start the newer software, or put a backup of it in its place'
      : 'correct or remove the file';
  return configError(`${text} (${hint})`);
}

/** The backups of earlier starts, to be removed once this start has succeeded. */
export async function findBackups(folders: readonly string[]): Promise<() => Promise<void>> {
  const found: { path: string; mtimeMs: number }[] = [];
  for (const folder of folders) {
    for (const name of await readdir(folder).catch(() => [])) {
      if (!BACKUP.test(name)) continue;
      const path = join(folder, name);
      found.push({ path, mtimeMs: (await stat(path)).mtimeMs });
    }
  }
  return async () => {
    for (const { path, mtimeMs } of found) {
      const now = await stat(path).catch(() => undefined);
      // This start has written it again: the one that did so before was cut off.
      if (now?.mtimeMs === mtimeMs) await rm(path, { force: true });
    }
  };
}

/** Of a file that could not be used; so many are kept, the last of them is the newest. */
const MOST_DAMAGED = 3;
const DAMAGED = /\.damaged-\d$/;

/** Where a file that could not be used is set aside. */
export function freeDamagedName(path: string): string {
  const names = Array.from({ length: MOST_DAMAGED }, (_, i) => `${path}.damaged-${i + 1}`);
  return names.find((name) => !existsSync(name)) ?? (names.at(-1) as string);
}

/** All backups of a file, and what was set aside of it. */
export async function backupsOf(path: string): Promise<string[]> {
  const names = await readdir(dirname(path)).catch(() => []);
  return names
    .filter((name) => name.startsWith(`${basename(path)}.`))
    .filter((name) => BACKUP.test(name) || DAMAGED.test(name))
    .map((name) => join(dirname(path), name));
}
