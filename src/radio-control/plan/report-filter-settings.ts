/** ReportFilter of the contract -> settings of the report filter. */
import {
  type InventoryPlanInput,
  ReportFilter as ReportFilterMessage,
} from '../../contract/messages.js';
import { counterToNumber } from '../../contract/time.js';
import type { Violation } from '../../shared/errors.js';
import type { FilterKind, ReportFilterSettings } from '../reports/report-filter.js';

const MAX_PERIOD_MS = 4294967295000;

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

/** @returns undefined with a violation. */
export function compileFilter(
  message: InventoryPlanInput['reportFilter'],
  violations: Violation[],
): ReportFilterSettings | undefined {
  const before = violations.length;
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
  if (kind === undefined || scope === undefined || violations.length > before) return undefined;
  return { kind, scope, periodMs };
}
