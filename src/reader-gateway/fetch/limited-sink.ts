/** Collects what is fetched, up to a limit. */
import { Writable } from 'node:stream';
import { FetchProblem } from './fetch-source.js';

export class LimitedSink extends Writable {
  readonly #maxBytes: number;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    super();
    this.#maxBytes = maxBytes;
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) {
      done(new FetchProblem('url', `the file is above the limit of ${this.#maxBytes} bytes`));
      return;
    }
    this.#chunks.push(chunk);
    done();
  }

  get content(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}
