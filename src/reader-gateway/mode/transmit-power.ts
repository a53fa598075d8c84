/** transmitPower: dBm to hundredths of a dBm, per antenna. */
import type { OperatingMode } from '../api/mode.js';
import { type Problems, perAntenna } from './problems.js';
import type { RadioFacts } from './radio-facts.js';

const DEFAULT_DBM = 27;

/** dBm when the mode gives none: 27, or what the radio can do if that is less. */
export function defaultPowerDbm(radio: RadioFacts): number {
  const { minTransmitPowerCdbm: min, maxTransmitPowerCdbm: max } = radio;
  return Math.min(Math.max(DEFAULT_DBM * 100, min), max) / 100;
}

export function compileTransmitPower(
  mode: OperatingMode,
  count: number,
  radio: RadioFacts,
  problems: Problems,
): number[] | undefined {
  const given = mode.transmitPower ?? defaultPowerDbm(radio);
  const check = (dbm: number, field: string) => {
    const cdbm = Math.round(dbm * 100);
    const min = Math.max(0, radio.minTransmitPowerCdbm);
    const max = radio.maxTransmitPowerCdbm;
    if (cdbm < min) problems.add(field, `${dbm} is below the radio's minimum of ${min / 100}`);
    if (cdbm > max) problems.add(field, `${dbm} is above the radio's maximum of ${max / 100}`);
    return cdbm;
  };
  if (Array.isArray(given)) given.forEach((dbm, i) => void check(dbm, `transmitPower[${i}]`));
  else check(given, 'transmitPower');
  return perAntenna(given, count, 'transmitPower', problems)?.map((dbm) => Math.round(dbm * 100));
}
