/** Feeds an archive to the parser of the tar package, one entry after the other. */
import { Writable } from 'node:stream';
import { Parser, type ReadEntry } from 'tar';
import { isSingulateError } from '../../../shared/errors.js';
import { packageError } from './package-error.js';

/** Of the extended headers of one entry. */
const MAX_META_BYTES = 16 * 1024;

export class TarReader extends Writable {
  readonly #parser: Parser;
  #failure: Error | undefined;
  /** The end that every archive has was there: without it, entries may be missing. */
  #complete = false;
  /** Entries are taken one after the other. */
  #taken: Promise<void> = Promise.resolve();
  /** Goes on with the chunk that the parser could not take whole. */
  #waiting: ((error?: Error | null) => void) | undefined;

  /** @param take Must read the entry to its end, or reject. */
  constructor(take: (entry: ReadEntry) => Promise<void>) {
    super();
    this.#parser = new Parser({
      // Whatever is odd in an archive is an error.
      strict: true,
      maxMetaEntrySize: MAX_META_BYTES,
      onReadEntry: (entry) => {
        // The parser goes on once an entry is read; what is done with it may take longer.
        this.#taken = this.#taken.then(async () => {
          if (this.#failure === undefined) {
            await take(entry).catch((error: Error) => this.#fail(error));
          }
          if (this.#failure !== undefined) entry.resume();
        });
      },
    });
    this.#parser.on('error', (error: Error) => this.#fail(error));
    this.#parser.on('eof', () => {
      this.#complete = true;
    });
    this.#parser.on('drain', () => this.#go());
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    if (this.#failure !== undefined) {
      done(this.#failure);
      return;
    }
    this.#waiting = done;
    let more = true;
    try {
      more = this.#parser.write(chunk);
    } catch (error) {
      this.#fail(error as Error);
    }
    if (more) this.#go();
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#waiting = done;
    if (this.#failure !== undefined) {
      this.#go();
      return;
    }
    this.#parser.once('end', () => {
      if (!this.#complete) this.#fail(packageError('its archive is damaged: its end is missing'));
      void this.#taken.then(() => this.#go());
    });
    try {
      this.#parser.end();
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  #go(): void {
    const done = this.#waiting;
    this.#waiting = undefined;
    done?.(this.#failure);
  }

  #fail(error: Error): void {
    if (this.#failure !== undefined) return;
    const isOfSystem = typeof (error as NodeJS.ErrnoException).syscall === 'string';
    this.#failure =
      isSingulateError(error) || isOfSystem
        ? error
        : packageError(`its archive is damaged: ${error.message}`);
    this.#go();
  }
}
