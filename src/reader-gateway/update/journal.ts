/** Keeps the record of the update on the disk, and tells its progress. */
import { join } from 'node:path';
import type { StateFaults } from '../../shared/state-faults.js';
import { StateFile } from '../../shared/state-file.js';
import type { UpgradeStatus } from '../api/os-update.js';
import { assertValid } from '../api/validate.js';
import { Progress } from './progress.js';
import { UpdateRecord } from './update-record.js';

export class Journal {
  readonly progress: Progress;
  readonly #file: StateFile<UpdateRecord>;
  #record: UpdateRecord | undefined;

  constructor(
    folder: string,
    tell: (status: UpgradeStatus) => void,
    private readonly faults?: StateFaults,
  ) {
    this.progress = new Progress(tell);
    this.#file = new StateFile(join(folder, 'update.json'), (value) => {
      assertValid(UpdateRecord, value);
      return value as UpdateRecord;
    });
  }

  /** @throws CONFIG */
  async load(): Promise<void> {
    this.#record = await (this.faults?.load(this.#file) ?? this.#file.load());
    // What an update was about is over: the next one must find no other file here.
    if (this.#record === undefined) await this.faults?.moveAside(this.#file.path);
    if (this.#record !== undefined) this.progress.restore(this.#record);
  }

  get record(): UpdateRecord | undefined {
    return this.#record;
  }

  /** It holds from when it is on the disk. */
  async save(record: UpdateRecord): Promise<void> {
    await this.#file.save(record);
    this.#record = record;
    this.progress.update(record);
  }

  /**
   * The last of a record. It has ended also where the disk takes nothing any more.
   * @param cleanUp Comes before anyone can see the end, and with it before the next update.
   */
  async end(record: UpdateRecord, cleanUp: () => Promise<void>): Promise<void> {
    try {
      await this.#file.save(record);
      await cleanUp();
    } finally {
      this.#record = record;
      this.progress.update(record);
    }
  }
}
