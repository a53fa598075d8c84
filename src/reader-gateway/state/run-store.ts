/** run.json: whether the reader reads, so that reading resumes after a restart. */
import { join } from 'node:path';
import { StateFile } from '../../shared/state-file.js';
import { type Static, Type } from '../api/schema.js';
import { assertValid } from '../api/validate.js';

export const RunState = Type.Object({
  reading: Type.Boolean(),
  /** Boot in which reading may resume; null = in every boot. */
  bootId: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
});
type RunState = Static<typeof RunState>;

export class RunStore {
  readonly #file: StateFile<RunState>;
  #state: RunState = { reading: false, bootId: null };

  constructor(
    stateDir: string,
    /** Identity of this boot of the machine. */
    private readonly bootId: string,
  ) {
    this.#file = new StateFile(join(stateDir, 'run.json'), (value) => {
      assertValid(RunState, value);
      return value as RunState;
    });
  }

  async load(): Promise<void> {
    this.#state = (await this.#file.load()) ?? this.#state;
  }

  /** True if reading was on: before a crash in this boot, or in any boot if it was to persist. */
  get resumes(): boolean {
    const { reading, bootId } = this.#state;
    return reading && (bootId === null || bootId === this.bootId);
  }

  /** @param persist True if reading shall resume after a reboot as well. */
  started(persist: boolean): Promise<void> {
    return this.#save({ reading: true, bootId: persist ? null : this.bootId });
  }

  stopped(): Promise<void> {
    return this.#save({ reading: false, bootId: null });
  }

  async #save(state: RunState): Promise<void> {
    await this.#file.save(state);
    this.#state = state;
  }
}
