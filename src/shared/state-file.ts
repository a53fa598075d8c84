/** The JSON files of the state folder. */
import { rm } from 'node:fs/promises';
import { readJsonFile, writeJsonFile } from './atomic-file.js';
import { fileError, keepBackup, type Migration, migrate, withVersion } from './file-format.js';

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

  /** As if nothing had ever been saved. */
  remove(): Promise<void> {
    return this.#write(() => rm(this.path, { force: true }));
  }

  save(value: T): Promise<void> {
    const content = withVersion(value, this.migrations.length + 1);
    return this.#write(() => writeJsonFile(this.path, content));
  }

  #write(action: () => Promise<void>): Promise<void> {
    const write = this.#last.then(async () => {
      if (this.#outdated !== undefined) await keepBackup(this.path, this.#outdated);
      this.#outdated = undefined;
      await action();
    });
    // A failed write is told to its own caller; the next write is not concerned.
    this.#last = write.catch(() => {});
    return write;
  }
}
