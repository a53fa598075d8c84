/** Files that are always either the old or the new one, whole, whatever happens in between. */

import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { jsonProblem } from './json-problem.js';

/**
 * Writes to a temporary file in the same folder, flushes it to the disk and renames it.
 * @param mode Permissions; the default lets only the service's own user read it.
 */
export async function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  mode = 0o600,
): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = temporaryName(path);
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await flushFolder(folder);
}

/** A rename, or a removal, lasts only once its folder is on the disk. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Beside the file; what is left of it after a kill goes with removeTemporaryFiles(). */
export function temporaryName(path: string): string {
  return `${path}.${randomBytes(6).toString('hex')}.tmp`;
}

const TEMPORARY = /\.[0-9a-f]{12}\.tmp$/;

/** Removes what writers that were killed have left; nobody may be writing there. */
export async function removeTemporaryFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (TEMPORARY.test(name)) await rm(join(folder, name), { force: true });
  }
}

/** @returns undefined if the file does not exist. Throws on any other trouble, bad JSON included. */
export async function readJsonFile(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not JSON: ${jsonProblem(error)}`);
  }
}

export function writeJsonFile(path: string, value: unknown): Promise<void> {
  return writeFileAtomic(path, `${JSON.stringify(value, null, 2)}\n`);
}
