/** What an application prints, in files of a bounded size: the newest and those before it. */
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { Writable } from 'node:stream';

export interface LogBounds {
  maxBytes: number;
  /** Files in all. */
  files: number;
}

const BOUNDS: LogBounds = { maxBytes: 1024 * 1024, files: 3 };

/** An application that prints faster than the disk takes it waits. */
export class RotatingLog extends Writable {
  readonly #path: string;
  readonly #bounds: LogBounds;
  #file: FileHandle | undefined;
  #bytes = 0;

  /** @param onError Gets the first error; what is printed after it is lost. */
  constructor(path: string, onError: (error: Error) => void, bounds: LogBounds = BOUNDS) {
    super({ decodeStrings: true });
    this.#path = path;
    this.#bounds = bounds;
    this.#onError = onError;
  }

  #onError: ((error: Error) => void) | undefined;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#append(chunk).then(done, (error: Error) => {
      // A disk that is full must not stop the application, nor its pipes.
      this.#onError?.(error);
      this.#onError = undefined;
      done();
    });
  }

  override _final(done: () => void): void {
    const file = this.#file;
    this.#file = undefined;
    if (file === undefined) done();
    else file.close().then(done, done);
  }

  async #append(chunk: Buffer): Promise<void> {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#file === undefined) {
        this.#file = await open(this.#path, 'a', 0o600);
        this.#bytes = (await this.#file.stat()).size;
      }
      const room = this.#bounds.maxBytes - this.#bytes;
      if (room <= 0) {
        await this.#rotate();
        continue;
      }
      const part = rest.subarray(0, room);
      await this.#file.appendFile(part);
      this.#bytes += part.length;
      rest = rest.subarray(part.length);
    }
  }

  async #rotate(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
    const { files } = this.#bounds;
    await rm(this.#name(files - 1), { force: true });
    for (let i = files - 2; i >= 0; i--) {
      await rename(this.#name(i), this.#name(i + 1)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
    }
  }

  #name(index: number): string {
    return index === 0 ? this.#path : `${this.#path}.${index}`;
  }
}
