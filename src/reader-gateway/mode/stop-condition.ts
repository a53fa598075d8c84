/** antennaStopCondition: when to leave an antenna for the next one. */

import type { ReaderModel } from '../../shared/reader-model/reader-model.js';
import type { AntennaStopCondition, Gpi, OperatingMode } from '../api/mode.js';
import { compileGpi, type InputPlan } from './inputs.js';
import { type Problems, perAntenna } from './problems.js';

/** The contract's Dwell. */
export interface DwellPlan {
  durationMs?: number;
  rounds?: number;
  input?: InputPlan;
}

const MAX_DURATION_MS = 86_400_000;
const MAX_ROUNDS = 65_535;

/** One round of at most 1/N seconds, N = number of antennas. */
export function defaultStopCondition(count: number): AntennaStopCondition {
  return {
    type: 'SINGLE_INVENTORY_LIMITED_DURATION',
    value: Math.max(1, Math.floor(1000 / Math.max(1, count))),
  };
}

export function compileStopConditions(
  mode: OperatingMode,
  count: number,
  model: ReaderModel,
  problems: Problems,
): DwellPlan[] | undefined {
  const given = mode.antennaStopCondition ?? defaultStopCondition(count);
  const field = 'antennaStopCondition';
  if (!Array.isArray(given)) {
    const dwell = toDwell(given, field, model, problems);
    return Array.from({ length: count }, () => dwell);
  }
  const dwells = given.map((one, index) => toDwell(one, `${field}[${index}]`, model, problems));
  return perAntenna(dwells, count, field, problems);
}

function toDwell(
  given: AntennaStopCondition,
  field: string,
  model: ReaderModel,
  problems: Problems,
): DwellPlan {
  const { type, value } = given;
  const duration = () => problems.integer(`${field}.value`, value, 1, MAX_DURATION_MS);
  switch (type) {
    case 'DURATION':
      return duration() ? { durationMs: value as number } : {};
    case 'INVENTORY_COUNT':
      return problems.integer(`${field}.value`, value, 1, MAX_ROUNDS) ? { rounds: value } : {};
    case 'SINGLE_INVENTORY_LIMITED_DURATION':
      return duration() ? { rounds: 1, durationMs: value as number } : {};
    case 'GPI':
      return { input: compileGpi(value as Gpi, `${field}.value`, model, problems) };
  }
}
