/** What it means for people that a file of the state folder cannot be written. */
import { basename } from 'node:path';
import { isSingulateError, SingulateError } from './errors.js';

const FULL =
  'no space is left on the disk of the state folder; purge logs or remove applications, then set it again';
const IN_THE_WAY = 'something else is in its place in the state folder; remove that first';

/** By the code of the system's error. */
const MEANINGS: Readonly<Record<string, string>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EFBIG: FULL,
  EROFS: 'the disk of the state folder is read-only; repair it or mount it to be written',
  EACCES: 'the service may not write into the state folder; give the folder to its user',
  EPERM: 'the service may not write into the state folder; give the folder to its user',
  EISDIR: IN_THE_WAY,
  ENOTDIR: IN_THE_WAY,
  ENOTEMPTY: IN_THE_WAY,
  ERR_FS_EISDIR: IN_THE_WAY,
  EIO: 'the disk of the state folder is broken; see the log of the system',
};

/** Only these are sure to be of a disk, whatever was written. */
const OF_A_DISK: readonly string[] = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO'];

/** The STORAGE error of a state file; an error of another kind stays as it is. */
export function storageError(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (isSingulateError(error) || typeof code !== 'string') return error;
  const meaning = MEANINGS[code] ?? `the disk of the state folder says ${code}`;
  return new SingulateError('STORAGE', `${basename(path)} cannot be written: ${meaning}`);
}

/** The STORAGE error of whatever was written; undefined: the error is no sure sign of a disk. */
export function storageErrorOf(error: unknown): SingulateError | undefined {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? '';
  if (isSingulateError(error) || !OF_A_DISK.includes(code)) return undefined;
  return new SingulateError('STORAGE', `it cannot be stored: ${MEANINGS[code]}`);
}
