/** Files of our own among those of a system service. */
import { readFile, rm } from 'node:fs/promises';
import { writeFileAtomic } from '../../shared/atomic-file.js';
import { errorMessage, SingulateError } from '../../shared/errors.js';

/** The services run as users of their own. */
const READABLE = 0o644;

/** @returns undefined: there is none. @throws UNAVAILABLE */
export async function readOwnFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unavailable(path, error);
  }
}

/** @param content undefined removes it. @throws UNAVAILABLE */
export async function writeOwnFile(path: string, content: string | undefined): Promise<void> {
  try {
    if (content === undefined) await rm(path, { force: true });
    else await writeFileAtomic(path, content, READABLE);
  } catch (error) {
    throw unavailable(path, error);
  }
}

function unavailable(path: string, error: unknown): SingulateError {
  return new SingulateError('UNAVAILABLE', `${path}: ${errorMessage(error)}`);
}
