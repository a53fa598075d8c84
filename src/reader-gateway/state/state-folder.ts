/** What is done in the state folder around a start. */
import { join } from 'node:path';
import { removeTemporaryFiles } from '../../shared/atomic-file.js';
import { findBackups } from '../../shared/file-format.js';

/** Folders with state files. */
const FOLDERS = ['.', 'apps', 'update', join('update', 'device')];

/**
 * Tidies up after a service that was killed while it wrote. Nobody may be writing there.
 * @returns To be called once the service runs: removes the backups that earlier starts made.
 */
export async function tidyStateFolder(stateDir: string): Promise<() => Promise<void>> {
  const folders = FOLDERS.map((folder) => join(stateDir, folder));
  for (const folder of folders) await removeTemporaryFiles(folder);
  return findBackups(folders);
}
