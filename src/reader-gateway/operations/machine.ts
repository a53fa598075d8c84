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

export class Machine {
  readonly model = readModel();
  readonly serialNumber = readSerialNumber();
  readonly os = readOsName();
  readonly hardware = readHardware();
  readonly mac = readMacAddress();
  /** As the platform has it, once it was asked. */
  hostName = readHostName();
  readonly cpu = new CpuMeter();

  constructor(readonly stateDir: string) {}
}
