/** Facts of the machine that operations answer with; read once where they cannot change. */
import { CpuMeter } from '../../platform/cpu.js';
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

/** What is in use, as the status has it: bytes and percent as texts, degrees Celsius. */
export interface MachineLoad {
  ram: Digits;
  flash: Record<keyof Flash, Digits>;
  cpu: { user: string; system: string };
  temperature: number;
}

type Digits = Record<keyof SpaceBytes, string>;

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

  /** At most a second old. */
  load(): Promise<MachineLoad> {
    return this.#load.read();
  }

  async #readLoad(): Promise<MachineLoad> {
    const { user, system } = this.#cpu.read();
    const flash = await readFlash(this.stateDir);
    return {
      ram: digits(readMemory()),
      flash: {
        rootFileSystem: digits(flash.rootFileSystem),
        platform: digits(flash.platform),
        readerConfig: digits(flash.readerConfig),
        readerData: digits(flash.readerData),
      },
      cpu: { user: String(user), system: String(system) },
      temperature: readTemperature(),
    };
  }
}

function digits({ total, free, used }: SpaceBytes): Digits {
  return { total: String(total), free: String(free), used: String(used) };
}
