/**
 * Compiles an operating mode to what the radio shall do and what its events carry.
 * Pure: the same mode on the same radio always gives the same plan or the same violations.
 */
import type { InventoryPlanInput } from '../../contract/messages.js';
import { ReportFilter } from '../../contract/messages.js';
import type { Violation } from '../../shared/errors.js';
import { OperatingMode } from '../api/mode.js';
import { findViolations } from '../api/validate.js';
import { compileAntennas } from './antennas.js';
import { linkProfileFor } from './environment.js';
import { compileMetaData, type EventContent } from './meta-data.js';
import { normaliseMode } from './normalise.js';
import { Problems } from './problems.js';
import { compileQueries } from './query.js';
import type { RadioFacts } from './radio-facts.js';
import { compileReportFilter } from './report-filter.js';
import { compileStopConditions } from './stop-condition.js';
import { compileTransmitPower } from './transmit-power.js';
import { refuseUnsupported } from './unsupported.js';

export interface CompiledMode {
  plan: InventoryPlanInput;
  content: EventContent;
  /** What was set, as it was set, without keys that mean nothing. */
  mode: OperatingMode;
}

export type CompileResult =
  | { ok: true; value: CompiledMode }
  | { ok: false; violations: readonly Violation[] };

/** @param given Operating mode of interface.md "Mode of operation", from a client or from the disk. */
export function compileMode(given: unknown, radio: RadioFacts): CompileResult {
  const request = normaliseMode(given);
  const violations = findViolations(OperatingMode, request);
  // Fields of the wrong shape are named once; all others are still checked for their meaning.
  const broken = new Set(violations.map(({ field }) => field.split(/[.[]/)[0] ?? ''));
  if (broken.has('')) return { ok: false, violations };
  const mode = Object.fromEntries(
    Object.entries(request as object).filter(
      ([key]) => key in OperatingMode.properties && !broken.has(key),
    ),
  ) as OperatingMode;
  if (broken.has('type')) mode.type = likelyType(mode);
  const problems = new Problems(!broken.has('antennas'));
  const value = compileChecked(mode, radio, problems);
  const all = [...violations, ...problems.violations];
  return all.length === 0 ? { ok: true, value } : { ok: false, violations: all };
}

/** With an unknown type, the one under which the other fields make sense. */
function likelyType(mode: OperatingMode): OperatingMode['type'] {
  const interval = mode.inventorySettings ?? mode.modeSpecificSettings;
  return interval !== undefined && mode.reportFilter === undefined ? 'INVENTORY' : 'CUSTOM';
}

function compileChecked(mode: OperatingMode, radio: RadioFacts, problems: Problems): CompiledMode {
  refuseUnsupported(mode, problems);
  const antennas = compileAntennas(mode, radio, problems);
  const count = antennas.length;
  const powers = compileTransmitPower(mode, count, radio, problems);
  const dwells = compileStopConditions(mode, count, problems);
  const queries = compileQueries(mode, count, problems);
  const reportFilter = compileReportFilter(mode, problems);
  const everyRead = reportFilter.kind === ReportFilter.Kind.EVERY_READ;
  const content = compileMetaData(mode, antennas, everyRead, problems);
  const plan: InventoryPlanInput = {
    antennas: antennas.map((port, index) => ({
      port,
      transmitPowerCdbm: powers?.[index] ?? 0,
      query: queries?.[index] ?? {},
      dwell: dwells?.[index] ?? {},
    })),
    linkProfile: linkProfileFor(mode.environment ?? 'HIGH_INTERFERENCE', radio.linkProfiles),
    reportFilter,
  };
  const stop = mode.radioStopConditions;
  if (stop?.duration !== undefined || stop?.antennaCycles !== undefined) {
    plan.stop = {
      durationMs: Math.round((stop.duration ?? 0) * 1000),
      cycles: stop.antennaCycles ?? 0,
    };
  }
  return { plan, content, mode };
}
