/**
 * A file of one size that is written in place: it has all its blocks from the start, so a file system
 * that does not copy on write (ext4, XFS, tmpfs) needs no room for a write, even if it is full.
 */
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

export class LedgerFile {
  readonly #path: string;
  #fd: number | undefined;
  #flushing = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Makes the file if it is not there. @throws if it cannot be written.
   * @param bytes All of the file, of which those from `from` to `to` are new.
   */
  write(bytes: Buffer, from: number, to: number): void {
    this.#fd ??= this.#open(bytes);
    if (writeSync(this.#fd, bytes, from, to - from, from) !== to - from) {
      throw new Error(`${this.#path}: the disk is full`);
    }
  }

  /** Writes what is there already. @throws if that cannot be done. */
  probe(bytes: Buffer): void {
    this.#fd ??= this.#open(bytes);
    const byte = Buffer.alloc(1);
    if (readSync(this.#fd, byte, 0, 1, 0) === 1) writeSync(this.#fd, byte, 0, 1, 0);
  }

  /** What was written is on the disk when it returns. @throws if it is not. */
  flush(): void {
    if (this.#fd !== undefined) fdatasyncSync(this.#fd);
  }

  /** As flush(), beside the event loop. */
  flushLater(done: (error: Error | null) => void): void {
    const fd = this.#fd as number;
    this.#flushing++;
    fdatasync(fd, (error) => {
      this.#flushing--;
      if (this.#fd === undefined && this.#flushing === 0) closeSync(fd);
      done(error);
    });
  }

  /** The file, whole, and safe on the disk. @throws if it cannot be written. */
  create(bytes: Buffer): void {
    const aside = `${this.#path}.new`;
    writeFileSync(aside, bytes, { mode: 0o600 });
    flushPath(aside);
    renameSync(aside, this.#path);
    flushPath(dirname(this.#path));
  }

  close(): void {
    if (this.#fd !== undefined && this.#flushing === 0) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #open(bytes: Buffer): number {
    try {
      return openSync(this.#path, 'r+');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    this.create(bytes);
    return openSync(this.#path, 'r+');
  }
}

function flushPath(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
