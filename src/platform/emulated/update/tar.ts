/** Reads plain tar files (ustar, GNU): enough for bundles, strict about everything else. */
import type { FileHandle } from 'node:fs/promises';

const BLOCK = 512;

export interface TarEntry {
  name: string;
  size: number;
  /** Of the content in the file. */
  offset: number;
}

/** @throws if it is not a whole tar of regular files. */
export async function readTar(file: FileHandle): Promise<TarEntry[]> {
  const { size: total } = await file.stat();
  const entries: TarEntry[] = [];
  const block = Buffer.alloc(BLOCK);
  let offset = 0;
  for (;;) {
    const { bytesRead } = await file.read(block, 0, BLOCK, offset);
    if (bytesRead < BLOCK) throw new Error('the bundle is cut off');
    offset += BLOCK;
    if (block.every((byte) => byte === 0)) return entries;
    const entry = parseHeader(block, offset);
    if (entry.offset + entry.size > total) throw new Error('the bundle is cut off');
    // A bundle has a handful of files; a file of headers alone must not fill the memory.
    if (entries.length >= 32) throw new Error('the bundle has more than 32 files');
    entries.push(entry);
    offset += Math.ceil(entry.size / BLOCK) * BLOCK;
  }
}

function parseHeader(block: Buffer, offset: number): TarEntry {
  if (octal(block, 148, 8) !== checksum(block)) throw new Error('the bundle is not a tar file');
  const type = String.fromCharCode(block[156] ?? 0);
  const name = text(block, 0, 100);
  if (type !== '0' && type !== '\0') {
    throw new Error(`the bundle has an entry that is no plain file: ${JSON.stringify(name)}`);
  }
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(name) || text(block, 345, 155) !== '') {
    throw new Error(`the bundle has a file of a name that is not allowed: ${JSON.stringify(name)}`);
  }
  return { name, size: octal(block, 124, 12), offset };
}

function checksum(block: Buffer): number {
  let sum = 0;
  // The field of the sum itself counts as blanks.
  for (const [index, byte] of block.entries()) sum += index >= 148 && index < 156 ? 0x20 : byte;
  return sum;
}

function text(block: Buffer, at: number, length: number): string {
  const field = block.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.subarray(0, end === -1 ? length : end).toString('latin1');
}

function octal(block: Buffer, at: number, length: number): number {
  const digits = text(block, at, length).trim();
  if (!/^[0-7]+$/.test(digits)) throw new Error('the bundle is not a tar file');
  return Number.parseInt(digits, 8);
}
