/** Files that a user named: no device, no pipe, and no more than what is sensible. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

export class NotAFile extends Error {}

/** @throws NotAFile, or what the system says. */
export async function readNamedFile(path: string, maxBytes: number): Promise<Buffer> {
  // A pipe would make it wait for a writer.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new NotAFile('is not a file');
    // Files of the kernel say that they are empty, and may be endless.
    const bytes = Buffer.alloc(Math.min(maxBytes, Math.max(stats.size, 65_536)) + 1);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length);
      if (bytesRead === 0) return bytes.subarray(0, length);
      length += bytesRead;
    }
    throw new NotAFile(`the file is above ${bytes.length - 1} bytes`);
  } finally {
    await handle.close();
  }
}
