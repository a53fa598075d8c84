/**
 * Factory reset: what the owner of a reader set and put on it goes. It is done by the next start,
 * before anything is read; reset.json says that it is to be done, and goes last, so a start that
 * is killed in the middle does it again.
 */
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeJsonFile } from '../../shared/atomic-file.js';
import { errorMessage } from '../../shared/errors.js';
import { backupsOf } from '../../shared/file-format.js';
import { LOG_FOLDER } from '../../shared/log-files.js';
import type { StateFaults } from '../../shared/state-faults.js';
import { DAMAGED_NUMBERS, NUMBERS_FILE } from '../delivery/numbers/ledger.js';
import { certificatesFolder } from '../tls/certificate-names.js';

const NAME = 'reset.json';

/** Files that were set, each with its backups. */
export const RESET_FILES = [
  'config.json',
  'mode.json',
  'run.json',
  'cable-loss.json',
  'region.json',
  'name.json',
  'logs.json',
  'import.json',
  NUMBERS_FILE,
  DAMAGED_NUMBERS,
] as const;

/** Folders, with all that is in them. */
const RESET_FOLDERS = ['apps', 'spill', 'spill-management'] as const;

export async function requestReset(stateDir: string): Promise<void> {
  await writeJsonFile(join(stateDir, NAME), {});
}

/** A reset that was requested and will not come. */
export async function withdrawReset(stateDir: string): Promise<void> {
  await rm(join(stateDir, NAME), { force: true });
}

/**
 * @param faults Takes a reset that cannot be finished, as on a disk that takes no changes; it goes on
 * with the next start. Left out: it is an error.
 * @returns Whether one was requested, and done.
 */
export async function finishReset(
  stateDir: string,
  logs = join(stateDir, LOG_FOLDER),
  faults?: StateFaults,
): Promise<boolean> {
  const request = join(stateDir, NAME);
  if (!existsSync(request)) return false;
  try {
    await removeAll(stateDir, logs);
    return true;
  } catch (error) {
    if (faults === undefined) throw error;
    faults.add(request, `the factory reset is not finished: ${errorMessage(error)}`);
    return false;
  }
}

async function removeAll(stateDir: string, logs: string): Promise<void> {
  const remove = (path: string) => rm(path, { recursive: true, force: true });
  for (const file of RESET_FILES) {
    await remove(join(stateDir, file));
    for (const backup of await backupsOf(join(stateDir, file))) await remove(backup);
  }
  for (const folder of RESET_FOLDERS) await remove(join(stateDir, folder));
  await remove(certificatesFolder(stateDir));
  // The folder stays: those who write into it see that their files are gone, and begin again.
  for (const file of await readdir(logs).catch(() => [])) await remove(join(logs, file));
  await withdrawReset(stateDir);
}
