/** mode.json: the operating mode as it was set. */
import { join } from 'node:path';
import { StateFile } from '../../shared/state-file.js';
import { OperatingMode } from '../api/mode.js';
import { assertValid } from '../api/validate.js';

/** The mode of a reader that was never told one. */
export const FACTORY_MODE: OperatingMode = { type: 'SIMPLE' };

export class ModeStore {
  readonly #file: StateFile<OperatingMode>;
  #mode: OperatingMode = FACTORY_MODE;

  constructor(stateDir: string) {
    this.#file = new StateFile(join(stateDir, 'mode.json'), (value) => {
      assertValid(OperatingMode, value);
      return value as OperatingMode;
    });
  }

  async load(): Promise<void> {
    this.#mode = (await this.#file.load()) ?? FACTORY_MODE;
  }

  get mode(): OperatingMode {
    return this.#mode;
  }

  async save(mode: OperatingMode): Promise<void> {
    await this.#file.save(mode);
    this.#mode = mode;
  }
}
