/** The parts of the interface's operating mode that this version refuses. */
import type { OperatingMode } from '../api/mode.js';
import type { Problems } from './problems.js';

const FIELDS = [
  'tagIdFilter',
  'filter',
  'select',
  'selects',
  'access',
  'accesses',
  'delayAfterSelects',
  'radioStartConditions',
  'rssiFilter',
  'beams',
  'portalSettings',
  'directionalitySettings',
] as const;

const STOP_CONDITIONS = ['tagCount', 'durationAfterNoMoreUniqueTags', 'gpis'] as const;

const TYPES: readonly string[] = ['PORTAL', 'DIRECTIONALITY'];

export function refuseUnsupported(mode: OperatingMode, problems: Problems): void {
  if (TYPES.includes(mode.type)) problems.unsupported('type', mode.type);
  for (const field of FIELDS) {
    const value = mode[field];
    // An empty list asks for nothing.
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    problems.unsupported(field);
  }
  for (const field of STOP_CONDITIONS) {
    if (mode.radioStopConditions?.[field] !== undefined) {
      problems.unsupported(`radioStopConditions.${field}`);
    }
  }
  const delay = mode.delayBetweenAntennaCycles;
  if (delay !== undefined && delay.type !== 'DISABLED') {
    problems.unsupported('delayBetweenAntennaCycles.type', delay.type);
  } else if (delay !== undefined && delay.duration !== 0) {
    problems.add('delayBetweenAntennaCycles.duration', 'must be 0 with type DISABLED');
  }
}
