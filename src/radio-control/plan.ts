/** InventoryPlan of the contract -> what the native core and the report filter take. */
import {
  type InventoryPlanInput,
  ReportFilter as ReportFilterMessage,
} from '../contract/messages.js';
import { counterToNumber } from '../contract/time.js';
import { invalid, type Violation } from '../shared/errors.js';
import type { PlanInput } from './addon/addon.js';
import type { FilterKind, ReportFilterSettings } from './reports/report-filter.js';

/** Power of an antenna that names none (interface table "Limits": 27 dBm). */
const DEFAULT_POWER_CDBM = 2700;
const MAX_PERIOD_MS = 4294967295000;

export interface CompiledPlan {
  native: PlanInput;
  filter: ReportFilterSettings;
}

/**
 * Fills in the defaults. What the radio can do is checked by the native core; only what it
 * does not see (the report filter) is checked here. Throws an INVALID SingulateError.
 */
export function compilePlan(
  plan: InventoryPlanInput,
  capabilities: { antennas: number[]; maxTransmitPowerCdbm: number },
): CompiledPlan {
  const antennas: NonNullable<InventoryPlanInput['antennas']> =
    plan.antennas && plan.antennas.length > 0
      ? plan.antennas
      : capabilities.antennas.map((port) => ({ port }));
  const defaultPower = Math.min(DEFAULT_POWER_CDBM, capabilities.maxTransmitPowerCdbm);
  return {
    native: {
      antennas: antennas.map(({ port, transmitPowerCdbm, query, dwell }) => ({
        port: port ?? 0,
        transmitPowerCdbm: transmitPowerCdbm ?? defaultPower,
        query: {
          session: query?.session ?? 0,
          target: query?.target ?? 0,
          tagPopulation: query?.tagPopulation ?? 0,
        },
        dwell: { durationMs: dwell?.durationMs ?? 0, rounds: dwell?.rounds ?? 0 },
      })),
      linkProfile: plan.linkProfile ?? '',
      stop: {
        durationMs: counterToNumber(plan.stop?.durationMs),
        cycles: plan.stop?.cycles ?? 0,
      },
    },
    filter: compileFilter(plan.reportFilter),
  };
}

const KINDS: Record<number, FilterKind> = {
  [ReportFilterMessage.Kind.EVERY_READ]: 'every_read',
  [ReportFilterMessage.Kind.ONCE]: 'once',
  [ReportFilterMessage.Kind.PERIODIC]: 'periodic',
  [ReportFilterMessage.Kind.INTERVAL]: 'interval',
};

const SCOPES: Record<number, ReportFilterSettings['scope']> = {
  [ReportFilterMessage.Scope.RADIO_WIDE]: 'radio_wide',
  [ReportFilterMessage.Scope.PER_ANTENNA]: 'per_antenna',
};

function compileFilter(message: InventoryPlanInput['reportFilter']): ReportFilterSettings {
  const violations: Violation[] = [];
  const kind = KINDS[message?.kind ?? 0];
  if (kind === undefined) {
    violations.push({
      field: 'report_filter.kind',
      message: `${message?.kind} is unknown; allowed: EVERY_READ, ONCE, PERIODIC, INTERVAL`,
    });
  }
  const scope = SCOPES[message?.scope ?? 0];
  if (scope === undefined) {
    violations.push({
      field: 'report_filter.scope',
      message: `${message?.scope} is unknown; allowed: RADIO_WIDE, PER_ANTENNA`,
    });
  }
  const periodMs = counterToNumber(message?.periodMs);
  const timed = kind === 'periodic' || kind === 'interval';
  if (timed && (periodMs < 1 || periodMs > MAX_PERIOD_MS)) {
    violations.push({
      field: 'report_filter.period_ms',
      message: `${periodMs} given; allowed with ${kind.toUpperCase()}: 1..${MAX_PERIOD_MS}`,
    });
  }
  if (!timed && periodMs !== 0) {
    violations.push({
      field: 'report_filter.period_ms',
      message: `${periodMs} given; only PERIODIC and INTERVAL take a period`,
    });
  }
  if (kind === undefined || scope === undefined || violations.length > 0) throw invalid(violations);
  return { kind, scope, periodMs };
}
