/** An archive of files in the format of POSIX (ustar), as a stream of bytes. */
import { contentOf, type OpenedFile } from './rotated-set.js';

const BLOCK = 512;

export async function* tarOf(
  files: readonly OpenedFile[],
  mtimeMs: number,
): AsyncGenerator<Buffer> {
  for (const file of files) {
    yield header(file, mtimeMs);
    let written = 0;
    for await (const chunk of contentOf(file)) {
      written += chunk.length;
      yield chunk;
    }
    // A file that has become shorter: the header says how long it must be.
    const missing = file.size - written;
    yield Buffer.alloc(missing + ((BLOCK - (file.size % BLOCK)) % BLOCK));
  }
  yield Buffer.alloc(2 * BLOCK);
}

function header({ name, size }: OpenedFile, mtimeMs: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, length: number) =>
    block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');
  block.write(`logs/${name}`, 0, 100, 'utf8');
  octal(0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(Math.floor(mtimeMs / 1000), 136, 12);
  block.write('        ', 148, 'latin1');
  block.write('0', 156, 'latin1');
  block.write('ustar\x0000', 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}
