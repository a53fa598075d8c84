/** Temperature of this machine. */
import { readdirSync, readFileSync } from 'node:fs';

const ZONES = '/sys/class/thermal';

/** Whole degrees Celsius of the warmest thermal zone; 0 on a machine without one. */
export function readTemperature(): number {
  let warmest: number | undefined;
  for (const zone of zones()) {
    try {
      const celsius = Number(readFileSync(`${ZONES}/${zone}/temp`, 'utf8')) / 1000;
      if (Number.isFinite(celsius)) warmest = Math.max(warmest ?? celsius, celsius);
    } catch {
      // A zone that is switched off cannot be read; the others can.
    }
  }
  return Math.round(warmest ?? 0);
}

function zones(): string[] {
  try {
    return readdirSync(ZONES).filter((name) => name.startsWith('thermal_zone'));
  } catch {
    return [];
  }
}
