/** cable-loss.json: the cables between the reader and its antennas. */
import { join } from 'node:path';
import type { Migration } from '../../shared/file-format.js';
import { StateFile } from '../../shared/state-file.js';
import { type CableLoss, CableLosses } from '../api/cable-loss.js';
import { type Static, Type } from '../api/schema.js';
import { assertValid } from '../api/validate.js';

export const CableFile = Type.Object({ ports: CableLosses });
type CableFile = Static<typeof CableFile>;

/** Version 1 had the ports at its top, where nothing else could be. */
export const CABLE_MIGRATIONS: readonly Migration[] = [(ports) => ({ ports })];

const NO_CABLE: CableLoss = { cableLength: 0, cableLossPerHundredFt: 0 };

export function cableOf(cables: CableLosses, port: number): CableLoss {
  return cables[String(port)] ?? NO_CABLE;
}

export class CableStore {
  readonly #file: StateFile<CableFile>;
  #cables: CableLosses = {};

  constructor(stateDir: string) {
    const check = (value: unknown) => {
      assertValid(CableFile, value);
      return value as CableFile;
    };
    this.#file = new StateFile(join(stateDir, 'cable-loss.json'), check, CABLE_MIGRATIONS);
  }

  async load(): Promise<void> {
    this.#cables = (await this.#file.load())?.ports ?? {};
  }

  get present(): CableLosses {
    return this.#cables;
  }

  of(port: number): CableLoss {
    return cableOf(this.#cables, port);
  }

  async save(cables: CableLosses): Promise<void> {
    await this.#file.save({ ports: cables });
    this.#cables = cables;
  }
}
