/** A log file of limited size: when it is full it becomes NAME.1, and the NAME.1 before is gone. */
import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const MAX_BYTES = 5 * 1024 * 1024;

export class LogFile {
  readonly #path: string;
  readonly #maxBytes: number;
  #fd: number | undefined;
  #bytes = 0;

  constructor(path: string, maxBytes = MAX_BYTES) {
    this.#path = path;
    this.#maxBytes = maxBytes;
  }

  /** A disk that is full loses the line, not the reader. */
  write(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    try {
      if (this.#fd === undefined) this.#open();
      if (this.#bytes > 0 && this.#bytes + bytes.length > this.#maxBytes) this.#rotate();
      writeSync(this.#fd as number, bytes);
      this.#bytes += bytes.length;
    } catch {
      this.close();
    }
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #open(): void {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    this.#fd = openSync(this.#path, 'a', 0o600);
    this.#bytes = fstatSync(this.#fd).size;
  }

  #rotate(): void {
    this.close();
    renameSync(this.#path, `${this.#path}.1`);
    this.#open();
  }
}
