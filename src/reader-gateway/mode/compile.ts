/**
 * Compiles an operating mode to what the radio shall do and what its events carry.
 * Pure: the same mode on the same radio always gives the same plan or the same violations.
 */
import { type InventoryPlanInput, ReportFilter } from '../../contract/messages.js';
import type { Violation } from '../../shared/errors.js';
import type { ReaderModel } from '../../shared/reader-model/reader-model.js';
import { OperatingMode } from '../api/mode.js';
import { findUnknown, findViolations, withoutFields } from '../api/validate.js';
import { modelOf } from '../reader-model/find-model.js';
import { compileAccess } from './access.js';
import { type CableLossDb, NO_CABLE_LOSS } from './cable-loss.js';
import { compileCycleDelay } from './cycle-delay.js';
import { compileDirectionality, type DirectionalityPlan } from './directionality.js';
import { compileIdFilter } from './id-filter.js';
import { compileLinkProfile } from './link-profile.js';
import { compileMetaData, type EventContent } from './meta-data.js';
import { misplaced, normaliseMode, SETTINGS_OF } from './normalise.js';
import { asSpelled, Problems } from './problems.js';
import { compileQueries } from './query.js';
import type { RadioFacts } from './radio-facts.js';
import { compileReportFilter, compileReportLatency } from './report-filter.js';
import { compileSelects } from './select.js';
import { compileStart, compileStop } from './start-stop.js';
import { compileStopConditions } from './stop-condition.js';
import { compileTransmitPower } from './transmit-power.js';
import { compileVisits, type Visit } from './visits.js';

export interface CompiledMode {
  plan: InventoryPlanInput;
  content: EventContent;
  /** Of a DIRECTIONALITY mode. */
  directionality: DirectionalityPlan | undefined;
  /** The visits of the plan's antennas, in their order. */
  visits: readonly Visit[];
  /** What was set, as it was set, without what is not known. */
  mode: OperatingMode;
  /** Fields of what was set that have no effect: no mode has them, or others win over them. */
  ignored: readonly Violation[];
}

export type CompileResult =
  | { ok: true; value: CompiledMode }
  | { ok: false; violations: readonly Violation[] };

/**
 * @param given Operating mode of interface.md "Mode of operation", from a client or from the disk.
 * @param cableLossDb Of the cables to the antennas.
 */
export function compileMode(
  given: unknown,
  radio: RadioFacts,
  cableLossDb: CableLossDb = NO_CABLE_LOSS,
): CompileResult {
  const { mode: request, spelling, violations: misnamed, meaningless } = normaliseMode(given);
  const found = findViolations(OperatingMode, request);
  // Fields of the wrong shape are named once; all others are still checked for their meaning.
  const broken = new Set(found.map(({ field }) => field.split(/[.[]/)[0] ?? ''));
  const violations = [...misnamed, ...spelled(found, spelling)];
  if (broken.has('')) return { ok: false, violations };
  const mode = Object.fromEntries(
    Object.entries(request as object).filter(([key]) => !broken.has(key)),
  ) as OperatingMode;
  if (broken.has('type')) mode.type = likelyType(mode);
  const problems = new Problems(spelling, broken);
  const compiled = compileChecked(mode, radio, cableLossDb, problems);
  const all = [...violations, ...problems.violations];
  if (all.length > 0) return { ok: false, violations: all };
  // Clients of other readers know fields that this one has not: they do not fail the request.
  const unknown = findUnknown(OperatingMode, request);
  const paths = unknown.map(({ path: [top = '', ...below] }) => [
    spelling.get(top) ?? top,
    ...below,
  ]);
  const empty = meaningless.map(({ field }) => [field]);
  const known = withoutFields(given as OperatingMode, [...paths, ...empty]);
  const ignored = [...spelled(unknown, spelling), ...meaningless, ...compiled.ignored];
  return { ok: true, value: { ...compiled, mode: known, ignored } };
}

function spelled(found: readonly Violation[], spelling: ReadonlyMap<string, string>): Violation[] {
  return found.map(({ field, message }) => ({ field: asSpelled(field, spelling), message }));
}

/** With an unknown type, the one under which the other fields make sense. */
function likelyType(mode: OperatingMode): OperatingMode['type'] {
  const has = (type: string) => mode[SETTINGS_OF[type] as keyof OperatingMode] !== undefined;
  if (has('PORTAL')) return 'PORTAL';
  if (has('DIRECTIONALITY')) return 'DIRECTIONALITY';
  return has('INVENTORY') && mode.reportFilter === undefined ? 'INVENTORY' : 'CUSTOM';
}

function compileChecked(
  mode: OperatingMode,
  radio: RadioFacts,
  cableLossDb: CableLossDb,
  problems: Problems,
): Omit<CompiledMode, 'mode'> {
  const model = modelOf(radio);
  refuseMisplaced(mode, problems);
  const directionality = compileDirectionality(mode, model, problems);
  const visits = compileVisits(mode, radio, model, problems);
  const count = visits.length;
  const powers = compileTransmitPower(mode, visits, radio, model, cableLossDb, problems);
  const dwells = compileStopConditions(mode, count, model, problems);
  const queries = compileQueries(mode, count, radio, problems);
  const selects = compileSelects(mode, count, radio, model, problems);
  const access = compileAccess(mode, count, radio, model, problems);
  const reportFilter = compileReportFilter(mode, problems);
  const idFilter = compileIdFilter(mode, radio, problems);
  const everyRead = reportFilter.kind === ReportFilter.Kind.EVERY_READ;
  const { content, memory } = compileMetaData(mode, visits, access, everyRead, radio, problems);
  const start = compileStart(mode, model, problems);
  const stop = compileStop(mode, model, problems);
  const link = compileLinkProfile(mode, radio, problems);
  const minRssi = compileRssiFilter(mode, model, radio, problems);
  const plan: InventoryPlanInput = {
    antennas: visits.map(({ port, beam }, index) => ({
      port,
      beam,
      transmitPowerCdbm: powers?.[index] ?? 0,
      query: queries?.[index] ?? {},
      dwell: dwells?.[index] ?? {},
      selects: selects[index] ?? [],
      access: (access[index] ?? []).flatMap(({ operations }) => operations),
    })),
    linkProfile: link.linkProfile,
    ...(link.linkProfileCandidates.length > 1
      ? { linkProfileCandidates: [...link.linkProfileCandidates] }
      : {}),
    reportFilter,
    ...compileReportLatency(mode),
    delayAfterSelectsUs: (mode.delayAfterSelects ?? 0) * 1000,
    cycleDelay: compileCycleDelay(mode, model, problems),
    memory,
    ...(start === undefined ? {} : { start }),
    ...(stop === undefined ? {} : { stop }),
    ...(idFilter === undefined ? {} : { idFilter }),
    ...(minRssi === undefined ? {} : { minRssiCdbm: minRssi }),
  };
  return { plan, content, directionality, visits, ignored: link.ignored };
}

function compileRssiFilter(
  mode: OperatingMode,
  model: ReaderModel,
  radio: RadioFacts,
  problems: Problems,
): number | undefined {
  if (mode.rssiFilter === undefined) return undefined;
  if (!model.rssiFilter || !radio.hasRssiLimit) {
    problems.add('rssiFilter', 'this reader has no RSSI filter');
  }
  return Math.round(mode.rssiFilter.threshold * 100);
}

/** Settings of another type. */
function refuseMisplaced(mode: OperatingMode, problems: Problems): void {
  for (const [type, key] of Object.entries(SETTINGS_OF)) {
    const settings = mode[key as keyof OperatingMode];
    if (type === mode.type || settings === undefined) continue;
    problems.add(key, misplaced(mode.type, type));
  }
}
