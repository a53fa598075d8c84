/** Programs of the system that are used where they are there. */
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin'];

/** Not by PATH: what runs as root is not chosen by an environment. */
export function findProgram(name: string): string | undefined {
  for (const folder of FOLDERS) {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return join(folder, name);
    } catch {
      // In another folder, or not on this machine.
    }
  }
  return undefined;
}
