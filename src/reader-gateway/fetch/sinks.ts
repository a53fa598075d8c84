/** Where what is fetched goes to, up to a limit. */
import { type FileHandle, open } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { invalid, type SingulateError } from '../../shared/errors.js';

export function tooLarge(maxBytes: number): SingulateError {
  const message = `the file is above the limit of ${maxBytes} bytes`;
  return invalid([{ field: 'url', message }]);
}

/** Collects it in memory. */
export class MemorySink extends Writable {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(private readonly maxBytes: number) {
    super();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.maxBytes) done(tooLarge(this.maxBytes));
    else {
      this.#chunks.push(chunk);
      done();
    }
  }

  get content(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

/** Writes it to a file, which it makes empty first. */
export class FileSink extends Writable {
  #file: FileHandle | undefined;
  #bytes = 0;

  constructor(
    private readonly path: string,
    private readonly maxBytes: number,
  ) {
    super();
  }

  override _construct(done: (error?: Error) => void): void {
    open(this.path, 'w', 0o600).then((file) => {
      this.#file = file;
      done();
    }, done);
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.maxBytes) done(tooLarge(this.maxBytes));
    else this.#file?.writeFile(chunk).then(() => done(), done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (this.#file === undefined) done(error);
    else this.#file.close().then(() => done(error), done);
  }
}
