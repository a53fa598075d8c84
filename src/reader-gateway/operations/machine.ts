/** Facts of the machine that operations answer with; read once where they cannot change. */
import { CpuMeter, type CpuPercent } from '../../platform/cpu.js';
import {
  readHardware,
  readHostName,
  readMacAddress,
  readModel,
  readOsName,
  readSerialNumber,
} from '../../platform/identity.js';
import { readMemory, type SpaceBytes } from '../../platform/memory.js';
import { readStorage } from '../../platform/storage.js';
import { readTemperature } from '../../platform/temperature.js';
import { Cached } from '../../shared/cached.js';
import { PACKAGE_ROOT } from '../../shared/package-info.js';

export interface MachineLoad {
  cpu: CpuPercent;
  memory: SpaceBytes;
  temperature: number;
  /** File systems. */
  root: SpaceBytes;
  software: SpaceBytes;
  state: SpaceBytes;
}

/** A reader that is asked hundreds of times a second looks once. */
const MAX_AGE_MS = 1000;

export class Machine {
  readonly model = readModel();
  readonly serialNumber = readSerialNumber();
  readonly os = readOsName();
  readonly hardware = readHardware();
  readonly mac = readMacAddress();
  /** As the platform has it, once it was asked. */
  hostName = readHostName();
  readonly #cpu = new CpuMeter();
  readonly #load = new Cached(() => this.#readLoad(), MAX_AGE_MS);

  constructor(readonly stateDir: string) {}

  /** What is in use, at most a second old. */
  load(): Promise<MachineLoad> {
    return this.#load.read();
  }

  async #readLoad(): Promise<MachineLoad> {
    const [root, software, state] = await Promise.all(
      ['/', PACKAGE_ROOT, this.stateDir].map(readStorage),
    );
    return {
      cpu: this.#cpu.read(),
      memory: readMemory(),
      temperature: readTemperature(),
      root: root as SpaceBytes,
      software: software as SpaceBytes,
      state: state as SpaceBytes,
    };
  }
}
