/**
 * Files of the state folder that cannot be used. Their parts have what a new reader has, the file
 * stays in its place until that part is set, and then beside it: nothing is lost without a word.
 */
import { copyFile, rename } from 'node:fs/promises';
import { basename } from 'node:path';
import { errorMessage, isSingulateError } from './errors.js';
import { freeDamagedName } from './file-format.js';
import type { Logger } from './log.js';
import type { StateFile } from './state-file.js';

export interface StateFault {
  /** Name of the file. */
  file: string;
  /** What is wrong with it. */
  message: string;
}

export class StateFaults {
  /** By the paths of the files. */
  readonly #faults = new Map<string, string>();
  /** Those that are there as they were found. */
  readonly #unread = new Set<string>();

  constructor(private readonly log: Pick<Logger, 'error'>) {}

  get list(): StateFault[] {
    return [...this.#faults].map(([path, message]) => ({ file: basename(path), message }));
  }

  /** True if the file is there as it was found, and cannot be used. */
  isUnread(path: string): boolean {
    return this.#unread.has(path);
  }

  /** @returns undefined for a file that cannot be used, as for one that is not there. */
  async load<T>(file: StateFile<T>): Promise<T | undefined> {
    try {
      return await file.load();
    } catch (error) {
      if (!isSingulateError(error, 'CONFIG')) throw error;
      this.#unread.add(file.path);
      this.add(file.path, `${error.message}; until it is set its part has its defaults`);
      return undefined;
    }
  }

  /** Before the file is written: a copy of one that could not be used stays beside it. */
  async setAside(path: string): Promise<void> {
    if (!this.#unread.has(path)) return;
    const aside = freeDamagedName(path);
    await copyFile(path, aside);
    this.#unread.delete(path);
    this.log.error({ file: path, aside }, 'the file that could not be used is set aside');
  }

  /** Takes a file that could not be used from its place: nobody will set its part again. */
  async moveAside(path: string, always = false): Promise<void> {
    if (!always && !this.#unread.has(path)) return;
    await rename(path, freeDamagedName(path)).catch((error) =>
      this.add(path, `it cannot be set aside: ${errorMessage(error)}`),
    );
    this.#unread.delete(path);
  }

  /** @param path Of the file. */
  add(path: string, message: string): void {
    this.#faults.set(path, message);
    this.log.error({ file: path, reason: message }, 'the state folder is not as it should be');
  }

  /** The file is right again. */
  remove(path: string): void {
    this.#faults.delete(path);
  }
}
