/** The files of a rotated set (shared/rotating-file.ts), as somebody else than their writer sees them. */
import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A file as it was when it was opened: whatever its writer does, so much of it can be read. */
export interface OpenedFile {
  name: string;
  handle: FileHandle;
  size: number;
}

/** NAME and NAME.1 and so on, the oldest first. To be closed by the caller. */
export async function openRotatedSet(folder: string, name: string): Promise<OpenedFile[]> {
  const opened: OpenedFile[] = [];
  const known = new Set<number>();
  try {
    // From the newest on: what is renamed meanwhile is met again, and not missed.
    for (const one of await namesOfSet(folder, name)) {
      const handle = await open(join(folder, one), 'r').catch(ignoreMissing);
      if (handle === undefined) continue;
      const { ino, size } = await handle.stat();
      if (known.has(ino)) {
        await handle.close();
        continue;
      }
      known.add(ino);
      opened.unshift({ name: one, handle, size });
    }
    return opened;
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

/** Their writer notices, and begins a new one. */
export async function removeRotatedSet(folder: string, name: string): Promise<void> {
  for (const one of await namesOfSet(folder, name)) await rm(join(folder, one), { force: true });
}

export async function closeAll(files: readonly OpenedFile[]): Promise<void> {
  await Promise.all(files.map(({ handle }) => handle.close().catch(() => {})));
}

/** What was in the file when it was opened. */
export async function* contentOf({ handle, size }: OpenedFile): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    const buffer = Buffer.alloc(Math.min(64 * 1024, size - at));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** The newest first. */
async function namesOfSet(folder: string, name: string): Promise<string[]> {
  const numbers = ((await readdir(folder).catch(ignoreMissing)) ?? [])
    .filter((one) => one === name || (one.startsWith(`${name}.`) && /\.\d+$/.test(one)))
    .map((one) => (one === name ? 0 : Number(one.slice(name.length + 1))))
    .filter((number) => Number.isInteger(number));
  return numbers.sort((a, b) => a - b).map((number) => (number === 0 ? name : `${name}.${number}`));
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
