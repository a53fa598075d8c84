/** antennaStopCondition: when to leave an antenna for the next one. */
import type { AntennaStopCondition, OperatingMode } from '../api/mode.js';
import { type Problems, perAntenna } from './problems.js';

/** The contract's Dwell. */
export interface DwellPlan {
  durationMs?: number;
  rounds?: number;
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
  problems: Problems,
): DwellPlan[] | undefined {
  const given = mode.antennaStopCondition ?? defaultStopCondition(count);
  const field = 'antennaStopCondition';
  if (!Array.isArray(given)) {
    const dwell = toDwell(given, field, problems);
    return Array.from({ length: count }, () => dwell);
  }
  const dwells = given.map((one, index) => toDwell(one, `${field}[${index}]`, problems));
  return perAntenna(dwells, count, field, problems);
}

function toDwell(given: AntennaStopCondition, field: string, problems: Problems): DwellPlan {
  const { type, value } = given;
  switch (type) {
    case 'DURATION':
      return problems.integer(`${field}.value`, value, 1, MAX_DURATION_MS)
        ? { durationMs: value }
        : {};
    case 'INVENTORY_COUNT':
      return problems.integer(`${field}.value`, value, 1, MAX_ROUNDS) ? { rounds: value } : {};
    case 'SINGLE_INVENTORY_LIMITED_DURATION':
      return problems.integer(`${field}.value`, value, 1, MAX_DURATION_MS)
        ? { rounds: 1, durationMs: value }
        : {};
    default:
      problems.unsupported(`${field}.type`, type);
      return {};
  }
}
