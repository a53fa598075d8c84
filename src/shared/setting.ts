/** One thing that can be set and lasts: a file of the state folder, and what it holds. */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Change, Changes } from './changes.js';
import { errorMessage } from './errors.js';
import type { Migration } from './file-format.js';
import type { StateFaults } from './state-faults.js';
import { StateFile } from './state-file.js';

export interface SettingKind<T> {
  /** Its name in the state folder. */
  file: string;
  /** Throws if what the file holds is not a T. */
  check(value: unknown): T;
  /** What holds as long as it was never set. */
  unset: T;
  /** From each version of the file to the next; none: there was only one ever. */
  migrations?: readonly Migration[];
}

export class Setting<T> {
  readonly #file: StateFile<T>;
  readonly #unset: T;
  #faults: StateFaults | undefined;
  #present: T;
  /** The file holds what is present. */
  #isStored = false;

  /** @param changes Left out: the changes of this one wait for no others. */
  constructor(
    folder: string,
    { file, check, unset, migrations }: SettingKind<T>,
    private readonly changes = new Changes(),
  ) {
    this.#file = new StateFile(join(folder, file), check, migrations);
    this.#unset = unset;
    this.#present = unset;
  }

  /**
   * @param faults Takes a file that cannot be used, which then counts as never written.
   * @throws CONFIG for such a file if there is nobody to take it.
   */
  async load(faults?: StateFaults): Promise<void> {
    this.#faults = faults;
    const stored = await (faults === undefined ? this.#file.load() : faults.load(this.#file));
    this.#isStored = stored !== undefined;
    this.#present = stored ?? this.#unset;
  }

  get present(): T {
    return this.#present;
  }

  /** True if there is a file, and it cannot be used. */
  get isUnreadable(): boolean {
    return this.#faults?.isUnread(this.#file.path) ?? false;
  }

  /**
   * As a part of a change: it is stored at once, and present when the change is done.
   * @param next undefined = as if it had never been set.
   * @throws STORAGE
   */
  async put(change: Change, next: T | undefined): Promise<void> {
    // Many clients set the same again and again: that wears out no disk.
    if (this.#isStored && !this.#file.isOutdated && isDeepStrictEqual(next, this.#present)) return;
    const replaced = await change.step(
      async () => {
        await this.#faults?.setAside(this.#file.path);
        return this.#file.replace(next);
      },
      async ({ restore }) => {
        try {
          await restore();
        } catch (error) {
          this.#isStored = false;
          const what = 'holds a change that was refused, which would hold after the next start';
          this.#faults?.add(this.#file.path, `${what}: ${errorMessage(error)}`);
          throw error;
        }
      },
    );
    change.whenDone(() => {
      this.#present = next ?? this.#unset;
      this.#isStored = next !== undefined;
      this.#faults?.remove(this.#file.path);
      return replaced.drop();
    });
  }

  /** A change of its own. @param make What shall hold, of what does. @throws what make throws, STORAGE */
  set(make: (present: T) => T | undefined): Promise<void> {
    return this.changes.make((change) => this.put(change, make(this.#present)));
  }
}
