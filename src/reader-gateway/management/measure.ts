/** What is measured of the machine for errors and warnings. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { CpuMeter } from '../../platform/cpu.js';
import { readMemory } from '../../platform/memory.js';
import { percent } from '../../platform/proc.js';
import { readTemperatures } from '../../platform/temperature.js';
import { type Flash, readFlash } from '../system/hardware.js';
import type { Measured } from './checks.js';

export interface MachineFolders {
  stateDir: string;
  /** Of the file system that holds /proc and /sys; left out: the real one. */
  root?: string | undefined;
}

/** @param cpu Asked here alone: it tells the load since it was asked last. */
export async function measure(folders: MachineFolders, cpu: CpuMeter): Promise<Measured> {
  const { stateDir, root } = folders;
  const memory = readMemory(root);
  const [flash, writable] = await Promise.all([
    readFlash(stateDir),
    access(stateDir, constants.W_OK).then(
      () => true,
      () => false,
    ),
  ]);
  const { user, system } = cpu.read();
  return {
    cpu: user + system,
    ram: percent(memory.used, memory.total),
    flash: fullest(flash),
    ...readTemperatures(root),
    stateFolder: { writable, freeBytes: flash.readerData.free },
  };
}

function fullest(flash: Flash): Measured['flash'] {
  const parts = Object.entries(flash).map(([part, { used, free }]) => ({
    part,
    // As df has it: what only root may use does not count.
    percent: percent(used, used + free),
  }));
  return parts.reduce((one, other) => (other.percent > one.percent ? other : one));
}
