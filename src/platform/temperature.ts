/** Temperatures of this machine. */
import { readdirSync, readFileSync } from 'node:fs';

const ZONES = '/sys/class/thermal';

/** Whole degrees Celsius, of the warmest zone each; undefined = there is no sensor. */
export interface Temperatures {
  /** Of everything but the power amplifier. */
  ambient: number | undefined;
  /** Of the power amplifier: a zone whose type says so (pa, rf-pa, power-amplifier). */
  pa: number | undefined;
}

export function readTemperatures(folder = ZONES): Temperatures {
  const found: Temperatures = { ambient: undefined, pa: undefined };
  for (const zone of zones(folder)) {
    try {
      const celsius = Math.round(Number(read(`${folder}/${zone}/temp`)) / 1000);
      const kind = isAmplifier(read(`${folder}/${zone}/type`)) ? 'pa' : 'ambient';
      if (Number.isFinite(celsius)) found[kind] = Math.max(found[kind] ?? celsius, celsius);
    } catch {
      // A zone that is switched off cannot be read; the others can.
    }
  }
  return found;
}

/** Of the warmest zone; 0 on a machine without one. */
export function readTemperature(): number {
  const { ambient, pa } = readTemperatures();
  return Math.max(ambient ?? pa ?? 0, pa ?? ambient ?? 0);
}

function isAmplifier(type: string): boolean {
  return /(^|[-_ ])(pa|power[-_ ]?amplifier)($|[-_ ]|\d)/i.test(type.trim());
}

function read(path: string): string {
  return readFileSync(path, 'utf8');
}

function zones(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.startsWith('thermal_zone'));
  } catch {
    return [];
  }
}
