/** The JSON files of a state folder. */
import { readJsonFile, writeJsonFile } from './atomic-file.js';
import { configError, errorMessage } from './errors.js';

/** Reads at the start, writes atomically, one write after the other. */
export class StateFile<T> {
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    readonly path: string,
    /** Throws if what the file holds is not a T. */
    private readonly check: (value: unknown) => T,
  ) {}

  /** @returns undefined without a file. Throws a CONFIG error for a file that is not right. */
  async load(): Promise<T | undefined> {
    try {
      const value = await readJsonFile(this.path);
      return value === undefined ? undefined : this.check(value);
    } catch (error) {
      const message = errorMessage(error).replaceAll('\n', ' ');
      const text = message.startsWith(this.path) ? message : `${this.path}: ${message}`;
      throw configError(`${text} (correct or remove the file)`);
    }
  }

  save(value: T): Promise<void> {
    const write = this.#last.then(() => writeJsonFile(this.path, value));
    // A failed write is told to its own caller; the next write is not concerned.
    this.#last = write.catch(() => {});
    return write;
  }
}
