/** InventoryPlan of the contract -> what the native core and the filters of reports take. */
import type { InventoryPlanInput } from '../../contract/messages.js';
import { counterToNumber, longToBigInt } from '../../contract/time.js';
import { invalid, type Violation } from '../../shared/errors.js';
import type { AntennaInput, InputLevel, PlanInput } from '../addon/addon.js';
import type { IdFilterSettings } from '../reports/id-filter.js';
import type { ReportFilterSettings } from '../reports/report-filter.js';
import { accessList, compileMemory } from './access.js';
import { compileIdFilter } from './id-filter-settings.js';
import { compileFilter } from './report-filter-settings.js';

/** Power of an antenna that names none (interface table "Limits": 27 dBm). */
const DEFAULT_POWER_CDBM = 2700;
const MAX_ACCESS = 32;
/** InventoryPlan.report_latency_ms: reads stay in the native queue no longer. */
export const MAX_REPORT_LATENCY_MS = 100;

export interface CompiledPlan {
  native: PlanInput;
  filter: ReportFilterSettings;
  idFilter: IdFilterSettings | undefined;
  /** Reads may wait so long for others, whatever the clients of the stream ask for; milliseconds. */
  reportLatencyMs: number;
}

/**
 * Fills in the defaults. What the radio can do is checked by the native core; only what it
 * does not see (the filters of reports) is checked here. Throws an INVALID SingulateError.
 */
export function compilePlan(
  plan: InventoryPlanInput,
  capabilities: { antennas: number[]; maxTransmitPowerCdbm: number },
): CompiledPlan {
  const violations: Violation[] = [];
  const filter = compileFilter(plan.reportFilter, violations);
  const idFilter = compileIdFilter(plan.idFilter, violations);
  const reportLatencyMs = plan.reportLatencyMs ?? 0;
  if (reportLatencyMs > MAX_REPORT_LATENCY_MS) {
    const message = `${reportLatencyMs} given; allowed: 0..${MAX_REPORT_LATENCY_MS}`;
    violations.push({ field: 'report_latency_ms', message });
  }
  const native = compileNative(plan, capabilities, violations);
  if (filter === undefined || violations.length > 0) throw invalid(violations);
  return { native, filter, idFilter, reportLatencyMs };
}

function compileNative(
  plan: InventoryPlanInput,
  capabilities: { antennas: number[]; maxTransmitPowerCdbm: number },
  violations: Violation[],
): PlanInput {
  const antennas: NonNullable<InventoryPlanInput['antennas']> =
    plan.antennas && plan.antennas.length > 0
      ? plan.antennas
      : capabilities.antennas.map((port) => ({ port }));
  const defaultPower = Math.min(DEFAULT_POWER_CDBM, capabilities.maxTransmitPowerCdbm);
  const memory = compileMemory(plan.memory ?? [], violations);
  const { start, stop } = plan;
  return {
    antennas: antennas.map((antenna, index): AntennaInput => {
      const { port, beam, transmitPowerCdbm, query, dwell, selects, access } = antenna;
      if ((access?.length ?? 0) > MAX_ACCESS) {
        violations.push({
          field: `antennas[${index}].access`,
          message: `${access?.length} given; allowed: at most ${MAX_ACCESS}`,
        });
      }
      return {
        port: port ?? 0,
        beam: beam ?? 0,
        transmitPowerCdbm: transmitPowerCdbm ?? defaultPower,
        query: {
          session: query?.session ?? 0,
          target: query?.target ?? 0,
          tagPopulation: query?.tagPopulation ?? 0,
          sel: query?.sel ?? 0,
        },
        dwell: {
          durationMs: dwell?.durationMs ?? 0,
          rounds: dwell?.rounds ?? 0,
          ...(dwell?.input ? { input: inputLevel(dwell.input) } : {}),
        },
        selects: (selects ?? []).map((select) => ({
          target: select.target ?? 0,
          action: select.action ?? 0,
          bank: select.bank ?? 0,
          pointer: select.pointer ?? 0,
          length: select.length ?? 0,
          mask: select.mask ?? new Uint8Array(),
          truncate: select.truncate ?? false,
        })),
        ...accessList(access ?? [], memory),
      };
    }),
    linkProfile: plan.linkProfile ?? '',
    linkProfileCandidates: plan.linkProfileCandidates ?? [],
    delayAfterSelectsUs: plan.delayAfterSelectsUs ?? 0,
    ...(typeof plan.minRssiCdbm === 'number' ? { minRssiCdbm: plan.minRssiCdbm } : {}),
    cycleDelay: {
      kind: plan.cycleDelay?.kind ?? 0,
      durationMs: plan.cycleDelay?.durationMs ?? 0,
    },
    start: {
      inputs: (start?.inputs ?? []).map(inputLevel),
      restart: start?.restart ?? false,
      atNs: longToBigInt(start?.atNs),
      everyMs: counterToNumber(start?.everyMs),
    },
    stop: {
      durationMs: counterToNumber(stop?.durationMs),
      cycles: stop?.cycles ?? 0,
      tagCount: stop?.tagCount ?? 0,
      noNewTagsMs: counterToNumber(stop?.noNewTagsMs),
      inputs: (stop?.inputs ?? []).map(inputLevel),
    },
  };
}

function inputLevel(level: {
  port?: number | null;
  high?: boolean | null;
  debounceMs?: number | null;
}): InputLevel {
  return {
    port: level.port ?? 0,
    high: level.high ?? false,
    debounceMs: level.debounceMs ?? 0,
  };
}
