/** region.json: the region that was chosen for the radio. */
import { join } from 'node:path';
import { StateFile } from '../../shared/state-file.js';
import { type Static, Type } from '../api/schema.js';
import { assertValid } from '../api/validate.js';

const ChosenRegion = Type.Object({
  region: Type.String({ minLength: 1 }),
  /** kHz; none = all of the region. */
  channels: Type.Array(Type.Integer({ minimum: 1 })),
});
export type ChosenRegion = Static<typeof ChosenRegion>;

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
}
