/**
 * transmitPower: dBm to hundredths of a dBm at the port, per antenna. What the cable takes away is
 * added, as far as the radio has it: transmitPower, and the limit of the region, are those after
 * the cable.
 */

import type { ReaderModel } from '../../shared/reader-model/reader-model.js';
import type { OperatingMode } from '../api/mode.js';
import type { CableLossDb } from './cable-loss.js';
import { type Problems, perAntenna } from './problems.js';
import type { RadioFacts } from './radio-facts.js';
import type { Visit } from './visits.js';

export interface PowerLimits {
  minDbm: number;
  maxDbm: number;
  /** What sets the maximum, for messages. */
  maxOf: string;
  defaultDbm: number;
}

/** What transmitPower may be: of the model, of the radio, and of the region. In the model's terms. */
export function powerLimits(radio: RadioFacts, model: ReaderModel): PowerLimits {
  const gainDbi = radiates(model) ? model.antennaGainDbi : 0;
  const limits: [number, string][] = [
    [radio.maxTransmitPowerCdbm / 100 + gainDbi, "radio's"],
    [model.maxTransmitPowerDbm, "reader's"],
  ];
  if (radio.maxEirpCdbm > 0) {
    const ownGain = radiates(model) ? 0 : model.antennaGainDbi;
    limits.push([radio.maxEirpCdbm / 100 - ownGain, `region's (${radio.region})`]);
  }
  const [maxDbm, maxOf] = limits.reduce((least, one) => (one[0] < least[0] ? one : least));
  const minDbm = Math.max(
    0,
    model.minTransmitPowerDbm,
    radio.minTransmitPowerCdbm / 100 + gainDbi > maxDbm ? 0 : radio.minTransmitPowerCdbm / 100,
  );
  const defaultDbm = Math.min(Math.max(model.defaultTransmitPowerDbm, minDbm), maxDbm);
  return { minDbm: round(minDbm), maxDbm: round(maxDbm), maxOf, defaultDbm: round(defaultDbm) };
}

export function compileTransmitPower(
  mode: OperatingMode,
  visits: readonly Visit[],
  radio: RadioFacts,
  model: ReaderModel,
  cableLossDb: CableLossDb,
  problems: Problems,
): number[] | undefined {
  const { minDbm, maxDbm, maxOf, defaultDbm } = powerLimits(radio, model);
  const given = mode.transmitPower ?? defaultDbm;
  const check = (dbm: number, field: string) => {
    if (dbm < minDbm) problems.add(field, `${dbm} is below the radio's minimum of ${minDbm}`);
    if (dbm > maxDbm) problems.add(field, `${dbm} is above the ${maxOf} maximum of ${maxDbm}`);
  };
  if (Array.isArray(given)) given.forEach((dbm, i) => void check(dbm, `transmitPower[${i}]`));
  else check(given, 'transmitPower');
  const gainDbi = radiates(model) ? model.antennaGainDbi : 0;
  const mostCdbm = Math.min(
    radio.maxTransmitPowerCdbm,
    Math.round((model.maxTransmitPowerDbm - gainDbi) * 100),
  );
  const atPort = (dbm: number, visit: Visit | undefined) => {
    const lossDb = visit === undefined ? 0 : cableLossDb(visit.port);
    const cdbm = Math.round((dbm - gainDbi + lossDb) * 100);
    return Math.max(radio.minTransmitPowerCdbm, Math.min(cdbm, mostCdbm));
  };
  return perAntenna(given, visits.length, 'transmitPower', problems)?.map((dbm, index) =>
    atPort(dbm, visits[index]),
  );
}

function radiates(model: ReaderModel): boolean {
  return model.powerIs === 'EIRP';
}

function round(dbm: number): number {
  return Math.round(dbm * 100) / 100;
}
