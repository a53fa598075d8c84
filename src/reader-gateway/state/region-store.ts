/** region.json: the region that was chosen for the radio. */
import { join } from 'node:path';
import { StateFile } from '../../shared/state-file.js';
import { ChosenRegion } from '../api/reader-settings.js';
import { assertValid } from '../api/validate.js';

export class RegionStore {
  readonly #file: StateFile<ChosenRegion>;
  #chosen: ChosenRegion | undefined;

  constructor(stateDir: string) {
    this.#file = new StateFile(join(stateDir, 'region.json'), (value) => {
      assertValid(ChosenRegion, value);
      return value as ChosenRegion;
    });
  }

  async load(): Promise<void> {
    this.#chosen = await this.#file.load();
  }

  /** undefined: the radio has the region it came with. */
  get present(): ChosenRegion | undefined {
    return this.#chosen;
  }

  async save(chosen: ChosenRegion): Promise<void> {
    await this.#file.save(chosen);
    this.#chosen = chosen;
  }

  /** As if it had never been told. */
  async clear(): Promise<void> {
    await this.#file.remove();
    this.#chosen = undefined;
  }
}
