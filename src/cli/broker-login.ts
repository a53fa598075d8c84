/** The password of the reader's own broker: made once, kept in the state folder. */
import { randomBytes } from 'node:crypto';
import { chmod, readFile } from 'node:fs/promises';
import { writeFileAtomic } from '../shared/atomic-file.js';
import { errorMessage, SingulateError } from '../shared/errors.js';
import { localBrokerPasswordFile } from '../shared/local-broker-login.js';

const USABLE = /^[\w-]{16,200}$/;

/** A file that holds no usable password is replaced. @throws STORAGE */
export async function ensureBrokerPassword(stateDir: string): Promise<string> {
  const path = localBrokerPasswordFile(stateDir);
  const kept = (await readFile(path, 'utf8').catch(() => '')).trim();
  try {
    if (USABLE.test(kept)) {
      await chmod(path, 0o600);
      return kept;
    }
    const password = randomBytes(18).toString('base64url');
    await writeFileAtomic(path, `${password}\n`);
    return password;
  } catch (error) {
    throw new SingulateError('STORAGE', `${path} cannot be written: ${errorMessage(error)}`);
  }
}
