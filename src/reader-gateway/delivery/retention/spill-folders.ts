/** Where the events of each endpoint spill to: HASH/ of the folder of their kind. */
import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** @param name Of the endpoint: any text, so the folder has its hash for a name. */
export function spillFolder(parent: string, name: string): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 32);
  return join(parent, hash);
}

/** Removes all but these. */
export async function removeSpills(parent: string, kept: readonly string[]): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  const gone = names.map((name) => join(parent, name)).filter((folder) => !kept.includes(folder));
  await Promise.all(gone.map((folder) => rm(folder, { recursive: true, force: true })));
}
