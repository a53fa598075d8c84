/** A file as it was before a change, to be put back whole. */
import { constants } from 'node:fs';
import { copyFile, link, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { flushFolder, temporaryName } from './atomic-file.js';

export interface KeptFile {
  /** Byte for byte; a file that was not there goes. It needs no space on the disk. */
  restore(): Promise<void>;
  /** It is not needed any more. Never throws: what stays goes with the next start. */
  drop(): Promise<void>;
}

/** Of file systems that have no hard links. */
const NO_LINKS: readonly unknown[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** Throws what the system says; then nothing is kept. */
export async function keepFile(path: string): Promise<KeptFile> {
  const kept = temporaryName(path);
  try {
    await link(path, kept);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') {
      return { restore: () => removeFile(path), drop: async () => {} };
    }
    if (!NO_LINKS.includes(code)) throw error;
    try {
      await copyFile(path, kept, constants.COPYFILE_EXCL);
    } catch (copyError) {
      await rm(kept, { force: true });
      throw copyError;
    }
  }
  return {
    restore: async () => {
      await rename(kept, path);
      // Two links to one file: then the rename does nothing.
      await rm(kept, { force: true });
      await flushFolder(dirname(path));
    },
    drop: () => rm(kept, { force: true }).catch(() => {}),
  };
}

async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true });
  await flushFolder(dirname(path));
}
