/** run.json: whether the reader reads, so that reading resumes after a restart. */
import type { Change } from '../../shared/changes.js';
import { Setting } from '../../shared/setting.js';
import type { StateFaults } from '../../shared/state-faults.js';
import { type Static, Type } from '../api/schema.js';
import { checked } from './setting-kinds.js';

export const RunState = Type.Object({
  reading: Type.Boolean(),
  /** Boot that this was decided in, and holds for; null = reading resumes in every boot, or nothing was decided. */
  bootId: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
});
type RunState = Static<typeof RunState>;

const NOT_READING: RunState = { reading: false, bootId: null };

export class RunStore {
  readonly #setting: Setting<RunState>;

  constructor(
    stateDir: string,
    /** Identity of this boot of the machine. */
    private readonly bootId: string,
  ) {
    const kind = { file: 'run.json', check: checked(RunState), unset: NOT_READING };
    this.#setting = new Setting(stateDir, kind);
  }

  load(faults?: StateFaults): Promise<void> {
    return this.#setting.load(faults);
  }

  /** True if reading was on: before a crash in this boot, or in any boot if it was to persist. */
  get resumes(): boolean {
    const { reading, bootId } = this.#setting.present;
    return reading && (bootId === null || bootId === this.bootId);
  }

  /** True if reading was started or ended in this boot: autostart has no say any more. */
  get isDecided(): boolean {
    return this.#setting.present.bootId === this.bootId;
  }

  /** @param persist True if reading shall resume after a reboot as well. @throws STORAGE */
  started(change: Change, persist: boolean): Promise<void> {
    return this.#setting.put(change, { reading: true, bootId: persist ? null : this.bootId });
  }

  /** A full disk does not keep it: then the file goes. @throws STORAGE of one that is read-only */
  async stopped(): Promise<void> {
    try {
      await this.#setting.set(() => ({ reading: false, bootId: this.bootId }));
    } catch {
      await this.#setting.set(() => undefined);
    }
  }
}
