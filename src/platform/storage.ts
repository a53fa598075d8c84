/** Space of the file systems of this machine. */
import { statfs } from 'node:fs/promises';
import type { SpaceBytes } from './memory.js';

/** Bytes of the file system that holds `path`; all 0 if there is none. */
export async function readStorage(path: string): Promise<SpaceBytes> {
  try {
    const { bsize, blocks, bavail, bfree } = await statfs(path);
    return { total: blocks * bsize, free: bavail * bsize, used: (blocks - bfree) * bsize };
  } catch {
    return { total: 0, free: 0, used: 0 };
  }
}
