/** Lines of a text file, streamed. */
import { type FileHandle, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { configError, errorMessage } from '../../shared/errors.js';

/** Ends lines at LF or CR LF, drops a byte order mark. Throws CONFIG if the file cannot be read. */
export async function* readLines(file: string): AsyncGenerator<string> {
  const handle = await openFile(file);
  try {
    const input = handle.createReadStream({ encoding: 'utf8', autoClose: false });
    let first = true;
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      yield first ? line.replace(/^\uFEFF/, '') : line;
      first = false;
    }
  } catch (error) {
    throw configError(`recording ${file} cannot be read: ${errorMessage(error)}`);
  } finally {
    await handle.close();
  }
}

/** The first lines of a file; fewer if it has fewer. */
export async function firstLines(file: string, count: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of readLines(file)) {
    lines.push(line);
    if (lines.length === count) break;
  }
  return lines;
}

async function openFile(file: string): Promise<FileHandle> {
  try {
    const handle = await open(file, 'r');
    const stat = await handle.stat();
    if (stat.isFile()) return handle;
    await handle.close();
  } catch (error) {
    throw configError(`recording ${file} cannot be read: ${errorMessage(error)}`);
  }
  throw configError(`recording ${file} cannot be read: it is not a file`);
}

export function splitLine(line: string): string[] {
  return line.split(',').map((cell) => cell.trim());
}
