/** cable-loss.json: the cables between the reader and its antennas. */
import { join } from 'node:path';
import { StateFile } from '../../shared/state-file.js';
import { type CableLoss, CableLosses } from '../api/cable-loss.js';
import { assertValid } from '../api/validate.js';

const NO_CABLE: CableLoss = { cableLength: 0, cableLossPerHundredFt: 0 };

export class CableStore {
  readonly #file: StateFile<CableLosses>;
  #cables: CableLosses = {};

  constructor(stateDir: string) {
    this.#file = new StateFile(join(stateDir, 'cable-loss.json'), (value) => {
      assertValid(CableLosses, value);
      return value as CableLosses;
    });
  }

  async load(): Promise<void> {
    this.#cables = (await this.#file.load()) ?? {};
  }

  get present(): CableLosses {
    return this.#cables;
  }

  of(port: number): CableLoss {
    return this.#cables[String(port)] ?? NO_CABLE;
  }

  async save(cables: CableLosses): Promise<void> {
    await this.#file.save(cables);
    this.#cables = cables;
  }
}
