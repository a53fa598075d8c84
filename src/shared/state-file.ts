/** The JSON files of the state folder. */
import { rm } from 'node:fs/promises';
import { readJsonFile, writeJsonFile } from './atomic-file.js';
import { fileError, keepBackup, type Migration, migrate, withVersion } from './file-format.js';
import { keepFile } from './kept-file.js';
import { storageError } from './storage-error.js';

/** A write that can still be taken back. */
export interface Replaced {
  /** The file is again what it was, byte for byte. */
  restore(): Promise<void>;
  /** The write is to stay. Never throws. */
  drop(): Promise<void>;
}

/** Reads at the start, writes atomically, one write after the other. */
export class StateFile<T> {
  #last: Promise<unknown> = Promise.resolve();
  /** Version of the file on disk, if it is an older one. */
  #outdated: number | undefined;

  constructor(
    readonly path: string,
    /** Throws if what the file holds is not a T. */
    private readonly check: (value: unknown) => T,
    /** From each version of the file to the next; none: there was only one ever. */
    private readonly migrations: readonly Migration[] = [],
  ) {}

  /**
   * A file of an older version is migrated. It stays as it is until the next save: an update that
   * is rolled back before has changed nothing.
   * @returns undefined without a file. Throws a CONFIG error for a file that is not right.
   */
  async load(): Promise<T | undefined> {
    try {
      const value = await readJsonFile(this.path);
      if (value === undefined) return undefined;
      const { content, from, to } = migrate(value, this.migrations);
      const checked = this.check(content);
      this.#outdated = from < to ? from : undefined;
      return checked;
    } catch (error) {
      throw fileError(this.path, error);
    }
  }

  /** True if the file on disk is of an older version. */
  get isOutdated(): boolean {
    return this.#outdated !== undefined;
  }

  /** As if nothing had ever been saved. @throws STORAGE */
  remove(): Promise<void> {
    return this.#inTurn(() => this.#write(undefined));
  }

  /** @throws STORAGE; then the file is as it was. */
  async save(value: T): Promise<void> {
    await (await this.replace(value)).drop();
  }

  /**
   * As save(), or remove() for undefined, but what was there can come back.
   * @throws STORAGE; then the file is as it was.
   */
  replace(value: T | undefined): Promise<Replaced> {
    return this.#inTurn(async () => {
      const outdated = this.#outdated;
      const kept = await keepFile(this.path);
      try {
        await this.#write(value);
      } catch (error) {
        // The rename may have been done, and only the flush of the folder has failed.
        await kept.restore();
        throw error;
      }
      const restore = () =>
        this.#inTurn(async () => {
          await kept.restore();
          this.#outdated = outdated;
        });
      return { restore, drop: kept.drop };
    });
  }

  async #write(value: T | undefined): Promise<void> {
    if (this.#outdated !== undefined) await keepBackup(this.path, this.#outdated);
    if (value === undefined) await rm(this.path, { force: true });
    else await writeJsonFile(this.path, withVersion(value, this.migrations.length + 1));
    this.#outdated = undefined;
  }

  #inTurn<R>(action: () => Promise<R>): Promise<R> {
    const done = this.#last.then(action).catch((error) => {
      throw storageError(this.path, error);
    });
    // A failed write is told to its own caller; the next write is not concerned.
    this.#last = done.catch(() => {});
    return done;
  }
}
