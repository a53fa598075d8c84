/** mode.json: the operating mode as it was set. */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { StateFile } from '../../shared/state-file.js';
import { OperatingMode } from '../api/mode.js';
import { assertValid } from '../api/validate.js';

/** The mode of a reader that was never told one. */
export const FACTORY_MODE: OperatingMode = { type: 'SIMPLE' };

export class ModeStore {
  readonly #file: StateFile<OperatingMode>;
  #mode: OperatingMode = FACTORY_MODE;
  #isStored = false;

  constructor(stateDir: string) {
    this.#file = new StateFile(join(stateDir, 'mode.json'), (value) => {
      assertValid(OperatingMode, value);
      return value as OperatingMode;
    });
  }

  async load(): Promise<void> {
    const stored = await this.#file.load();
    this.#isStored = stored !== undefined;
    this.#mode = stored ?? FACTORY_MODE;
  }

  get mode(): OperatingMode {
    return this.#mode;
  }

  async save(mode: OperatingMode): Promise<void> {
    // Many clients set the same mode again and again: that wears out no disk.
    if (this.#isStored && isDeepStrictEqual(mode, this.#mode)) return;
    await this.#file.save(mode);
    this.#isStored = true;
    this.#mode = mode;
  }
}
