/** Temperatures of this machine. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whole degrees Celsius, of the warmest place each; undefined = there is no sensor. */
export interface Temperatures {
  /** Of everything but the power amplifier. */
  ambient: number | undefined;
  /** Of the power amplifier: a zone whose type says so (pa, rf-pa, power-amplifier). */
  pa: number | undefined;
}

/**
 * Of the thermal zones, or else of the sensors of the hardware.
 * @param root Of the file system that holds /sys.
 */
export function readTemperatures(root = '/'): Temperatures {
  const zones = filesIn(join(root, 'sys/class/thermal'), /^thermal_zone/);
  const ofAmplifier = zones.filter((zone) => isAmplifier(textOf(join(zone, 'type'))));
  const others = zones.filter((zone) => !ofAmplifier.includes(zone));
  const temp = (zone: string) => join(zone, 'temp');
  const pa = warmestOf(ofAmplifier.map(temp));
  const ambient = warmestOf(others.map(temp));
  if (pa !== undefined || ambient !== undefined) return { ambient, pa };
  const chips = filesIn(join(root, 'sys/class/hwmon'), /^hwmon/);
  return {
    ambient: warmestOf(chips.flatMap((chip) => filesIn(chip, /^temp\d+_input$/))),
    pa: undefined,
  };
}

/** The warmest of all; 0 on a machine without a sensor. */
export function readTemperature(root = '/'): number {
  const { ambient, pa } = readTemperatures(root);
  return Math.max(ambient ?? pa ?? 0, pa ?? ambient ?? 0);
}

function isAmplifier(type: string): boolean {
  return /(^|[-_ ])(pa|power[-_ ]?amplifier)($|[-_ ]|\d)/i.test(type.trim());
}

function warmestOf(files: readonly string[]): number | undefined {
  let warmest: number | undefined;
  for (const file of files) {
    const text = textOf(file).trim();
    const celsius = text === '' ? Number.NaN : Math.round(Number(text) / 1000);
    if (Number.isFinite(celsius)) warmest = Math.max(warmest ?? celsius, celsius);
  }
  return warmest;
}

/** Empty: the sensor does not answer. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function filesIn(folder: string, name: RegExp): string[] {
  try {
    return readdirSync(folder)
      .filter((entry) => name.test(entry))
      .map((entry) => join(folder, entry));
  } catch {
    return [];
  }
}
