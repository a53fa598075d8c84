/** Which field of a mode a field of its plan comes from: the radio names what it refuses by its own. */
import { AccessOperation } from '../../contract/messages.js';
import type { Violation } from '../../shared/errors.js';
import type { OperatingMode } from '../api/mode.js';
import type { CompiledMode } from './compile.js';
import { normaliseMode } from './normalise.js';
import { asSpelled } from './problems.js';

type Compiled = Pick<CompiledMode, 'plan' | 'mode' | 'content' | 'visits'>;

/** @returns The violations of the plan as those of the mode, each once, in the names that were given. */
export function modeViolations(found: readonly Violation[], compiled: Compiled): Violation[] {
  const { mode, spelling } = normaliseMode(compiled.mode);
  const own = found.map(({ field, message }) => ({
    field: asSpelled(modeField(field, mode as OperatingMode, compiled), spelling),
    message,
  }));
  // What holds for all antennas is refused once for each of them.
  return [...new Map(own.map((one) => [`${one.field}: ${one.message}`, one])).values()];
}

/** Plan field to mode field, where nothing else decides. */
const SAME: Readonly<Record<string, string>> = {
  delay_after_selects_us: 'delayAfterSelects',
  min_rssi_cdbm: 'rssiFilter.threshold',
  'cycle_delay.duration_ms': 'delayBetweenAntennaCycles.duration',
  'cycle_delay.kind': 'delayBetweenAntennaCycles.type',
  'id_filter.value': 'tagIdFilter.value',
  'id_filter.match': 'tagIdFilter.match',
  'start.every_ms': 'radioStartConditions.schedule.every',
  'start.at_ns': 'radioStartConditions.schedule.at',
  'start.restart': 'radioStartConditions.type',
  'stop.duration_ms': 'radioStopConditions.duration',
  'stop.cycles': 'radioStopConditions.antennaCycles',
  'stop.tag_count': 'radioStopConditions.tagCount',
};

/** The last name of a path of the plan to that of the mode, where they differ. */
const LAST: Readonly<Record<string, string>> = {
  debounce_ms: 'debounceTime',
  tag_population: 'tagPopulation',
  bank: 'membank',
  word_pointer: 'wordPointer',
  word_count: 'wordCounter',
  lock_mask: 'actions',
  lock_action: 'actions',
};

/** `.name` of the rest of a path, or '' if it has none. */
function last(rest: string | undefined): string {
  return rest === undefined || rest === '' ? '' : `.${LAST[rest] ?? rest}`;
}

function modeField(field: string, mode: OperatingMode, compiled: Compiled): string {
  const same = SAME[field];
  if (same !== undefined) return same;
  const ofAntenna = /^antennas\[(\d+)\](?:\.(.+))?$/.exec(field);
  if (ofAntenna !== null) {
    return antennaField(Number(ofAntenna[1]), ofAntenna[2] ?? '', mode, compiled);
  }
  if (field.startsWith('link_profile_candidates')) return 'environment';
  if (field === 'link_profile') {
    return mode.linkProfile === undefined ? 'environment' : 'linkProfile';
  }
  if (field.startsWith('report_filter')) {
    return mode.type === 'INVENTORY' ? 'inventorySettings.interval' : 'reportFilter';
  }
  if (field === 'stop.no_new_tags_ms') {
    if (mode.type === 'PORTAL') return 'portalSettings.stopInterval';
    return 'radioStopConditions.durationAfterNoMoreUniqueTags';
  }
  const inputs = /^(start|stop)\.inputs(\[\d+\])?(?:\.(.+))?$/.exec(field);
  if (inputs !== null) {
    const [, when, index = '', rest] = inputs;
    if (when === 'stop') return `radioStopConditions.gpis${index}${last(rest)}`;
    const list =
      mode.type === 'PORTAL' ? 'portalSettings.startTrigger' : `radioStartConditions.gpis${index}`;
    return `${list}${last(rest)}`;
  }
  const memory = /^memory(?:\[(\d+)\])?/.exec(field);
  if (memory !== null) return memoryField(Number(memory[1] ?? -1), mode, compiled);
  return field;
}

function antennaField(
  index: number,
  rest: string,
  mode: OperatingMode,
  compiled: Compiled,
): string {
  /** One value for all antennas, or that of this one. */
  const at = (name: 'transmitPower' | 'query' | 'antennaStopCondition') =>
    Array.isArray(mode[name]) ? `${name}[${index}]` : name;
  const [, part = '', number, below] = /^([a-z_]+)(?:\[(\d+)\])?(?:\.(.+))?$/.exec(rest) ?? [];
  const byPrefix = mode.tagIdFilter?.match === 'prefix';
  switch (part) {
    case 'transmit_power_cdbm':
      return at('transmitPower');
    case 'query':
      return byPrefix ? 'tagIdFilter' : `${at('query')}${last(below)}`;
    case 'dwell':
      return `${at('antennaStopCondition')}.value${last(below?.split('.')[1])}`;
    case 'selects':
      if (byPrefix) return 'tagIdFilter.value';
      return `${listAt('select', index, mode)}${inBrackets(number)}${last(below)}`;
    case 'access': {
      if (number === undefined) return listAt('access', index, mode);
      return accessField(index, Number(number), below, mode, compiled);
    }
    default:
      return visitField(index, mode);
  }
}

const inBrackets = (number: string | undefined) => (number === undefined ? '' : `[${number}]`);

function listAt(name: 'select' | 'access', index: number, mode: OperatingMode): string {
  return Array.isArray(mode[name]?.[0]) ? `${name}[${index}]` : name;
}

function visitField(index: number, mode: OperatingMode): string {
  if (mode.beams !== undefined) return `beams[${index}]`;
  if (mode.antennas !== undefined) return `antennas[${index}]`;
  const config = 'directionalitySettings.basicConfig.beamConfig';
  const { beams } = mode.directionalitySettings?.basicConfig.beamConfig ?? {};
  return beams === undefined ? 'antennas' : `${config}.beams[${index}]`;
}

/**
 * The radio has one list for an antenna: what reads the banks of tagMetaData stands after the ACCESS
 * commands that begin `access`; and one command of the mode may be several operations.
 */
function accessField(
  antenna: number,
  operation: number,
  rest: string | undefined,
  mode: OperatingMode,
  compiled: Compiled,
): string {
  const operations = compiled.plan.antennas?.[antenna]?.access ?? [];
  const memory = compiled.plan.memory?.length ?? 0;
  const other = operations.findIndex(({ kind }) => kind !== AccessOperation.Kind.ACCESS);
  const memoryFrom = other < 0 ? operations.length : other;
  if (operation >= memoryFrom && operation < memoryFrom + memory) {
    return memoryField(operation - memoryFrom, mode, compiled);
  }
  let left = operation < memoryFrom ? operation : operation - memory;
  const commands = compiled.content.access.get(compiled.visits[antenna]?.number ?? 0) ?? [];
  const command = commands.findIndex(({ count }) => {
    left -= count;
    return left < 0;
  });
  const list = listAt('access', antenna, mode);
  if (command < 0) return list;
  if (rest === 'kind') return `${list}[${command}].type`;
  return `${list}[${command}]${rest === undefined ? '' : `.config${last(rest)}`}`;
}

/** The entry of tagMetaData that asks for the words. */
function memoryField(index: number, mode: OperatingMode, { content }: Compiled): string {
  const bank = content.banks.find(({ from, count }) => index >= from && index < from + count);
  const entry = (mode.tagMetaData ?? []).findIndex(
    (one) => typeof one === 'string' && one.replace(/\[.*/, '') === bank?.name,
  );
  return entry < 0 ? 'tagMetaData' : `tagMetaData[${entry}]`;
}
