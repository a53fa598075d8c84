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
import { readTemperature } from '../../platform/temperature.js';
import { Cached } from '../../shared/cached.js';
import { type Flash, readFlash } from '../system/hardware.js';

export interface MachineLoad {
  cpu: CpuPercent;
  memory: SpaceBytes;
  temperature: number;
  flash: Flash;
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
    return {
      cpu: this.#cpu.read(),
      memory: readMemory(),
      temperature: readTemperature(),
      flash: await readFlash(this.stateDir),
    };
  }
}
