/** Temperature of this machine. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Whole degrees Celsius of the warmest thermal zone, or else of the warmest sensor; 0 on a machine
 * without either.
 * @param root Of the file system that holds /sys.
 */
export function readTemperature(root = '/'): number {
  const zones = join(root, 'sys/class/thermal');
  const sensors = join(root, 'sys/class/hwmon');
  const warmest =
    warmestOf(filesIn(zones, /^thermal_zone/).map((zone) => join(zone, 'temp'))) ??
    warmestOf(filesIn(sensors, /^hwmon/).flatMap((chip) => filesIn(chip, /^temp\d+_input$/)));
  return Math.round(warmest ?? 0);
}

function warmestOf(files: readonly string[]): number | undefined {
  let warmest: number | undefined;
  for (const file of files) {
    try {
      const text = readFileSync(file, 'utf8').trim();
      const celsius = text === '' ? Number.NaN : Number(text) / 1000;
      if (Number.isFinite(celsius)) warmest = Math.max(warmest ?? celsius, celsius);
    } catch {
      // A zone that is switched off cannot be read; the others can.
    }
  }
  return warmest;
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
