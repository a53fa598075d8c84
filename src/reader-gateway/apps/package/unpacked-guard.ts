/** Between decompression and the archive: stops bombs, and archives that are none. */
import { Transform, type TransformCallback } from 'node:stream';
import type { PackageLimits } from './limits.js';
import { packageError } from './package-error.js';

/** Below this much, the ratio says nothing: a small text may be packed well. */
const RATIO_FROM_BYTES = 1024 * 1024;
/** Of the first header. */
const BLOCK_BYTES = 512;
const MAGIC_AT = 257;

export class UnpackedGuard extends Transform {
  readonly #packedBytes: number;
  readonly #limits: PackageLimits;
  #bytes = 0;
  /** The first block, until it is whole; undefined once it was looked at. */
  #first: Buffer | undefined = Buffer.alloc(0);

  /** @param packedBytes Size of what is being unpacked. */
  constructor(packedBytes: number, limits: PackageLimits) {
    super();
    this.#packedBytes = packedBytes;
    this.#limits = limits;
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.#bytes += chunk.length;
    const { maxUnpackedBytes, maxRatio } = this.#limits;
    if (this.#bytes > maxUnpackedBytes) {
      done(packageError(`it has more than ${maxUnpackedBytes} bytes unpacked`));
      return;
    }
    if (this.#bytes > RATIO_FROM_BYTES && this.#bytes > maxRatio * this.#packedBytes) {
      done(packageError(`it unpacks to more than ${maxRatio} times its size`));
      return;
    }
    if (this.#first === undefined) {
      done(null, chunk);
      return;
    }
    this.#first = Buffer.concat([this.#first, chunk]);
    if (this.#first.length < BLOCK_BYTES) {
      done();
      return;
    }
    const first = this.#first;
    this.#first = undefined;
    // The parser would unpack once more what is packed twice, and nobody would count that.
    if (first.toString('latin1', MAGIC_AT, MAGIC_AT + 5) !== 'ustar') {
      done(packageError('it holds no tar archive'));
      return;
    }
    done(null, first);
  }

  override _flush(done: TransformCallback): void {
    done(this.#first === undefined ? null : packageError('it holds no tar archive'));
  }
}
