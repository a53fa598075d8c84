/** A second look at what was really written, without knowing how it came there. */
import { chmod, lstat, readdir, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { packageError } from './package-error.js';

/** Modes become plain ones on the way. @throws INVALID */
export async function verifyTree(root: string): Promise<void> {
  const real = await realpath(root);
  await visit(real, real);
}

async function visit(root: string, folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const shown = relative(root, path);
    const info = await lstat(path);
    if (info.isSymbolicLink()) {
      // One that leads nowhere is harmless now, but not what it may lead to tomorrow.
      const target = await realpath(path).catch(() => undefined);
      if (target === undefined) throw packageError('is a link to nothing', shown);
      if (target !== root && !target.startsWith(root + sep)) {
        throw packageError('is a link that leads out of the application', shown);
      }
    } else if (info.isDirectory()) {
      await visit(root, path);
    } else if (!info.isFile() || (info.mode & 0o7000) !== 0) {
      throw packageError('is neither a plain file nor a folder nor a link', shown);
    }
  }
}
