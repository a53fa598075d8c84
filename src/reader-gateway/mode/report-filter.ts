/** reportFilter and the interval of INVENTORY: when a tag is reported. */
import { ReportFilter } from '../../contract/messages.js';
import type { IntervalSettings, OperatingMode } from '../api/mode.js';
import type { Problems } from './problems.js';

/** The contract's ReportFilter. */
export interface ReportFilterPlan {
  kind: number;
  scope: number;
  periodMs: number;
}

const UNIT_MS = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;
const MAX_PERIOD_MS = 4_294_967_295_000;

/** INVENTORY without an interval: each tag once per minute and antenna. */
export const DEFAULT_INTERVAL = { value: 1, unit: 'minutes' } as const;

export function intervalOf(mode: OperatingMode): NonNullable<IntervalSettings['interval']> {
  return mode.inventorySettings?.interval ?? DEFAULT_INTERVAL;
}

/** Reads of an INVENTORY wait so long for others: its tags are reported at the end of an interval of a second or more. */
const INTERVAL_LATENCY_MS = 100;

/** How soon the radio has to look at reads. Nothing: as soon as those who follow them ask for it. */
export function compileReportLatency({ type }: OperatingMode): { reportLatencyMs?: number } {
  return type === 'INVENTORY' ? { reportLatencyMs: INTERVAL_LATENCY_MS } : {};
}

export function compileReportFilter(mode: OperatingMode, problems: Problems): ReportFilterPlan {
  const { Kind, Scope } = ReportFilter;
  if (mode.type === 'INVENTORY') {
    if (mode.reportFilter !== undefined) {
      problems.add(
        'reportFilter',
        'cannot be set with type INVENTORY; use inventorySettings.interval',
      );
    }
    const { value, unit } = intervalOf(mode);
    const periodMs = value * UNIT_MS[unit];
    if (periodMs > MAX_PERIOD_MS) {
      problems.add(
        'inventorySettings.interval.value',
        `${value} ${unit} is above 4294967295 seconds`,
      );
    }
    return { kind: Kind.INTERVAL, scope: Scope.PER_ANTENNA, periodMs };
  }
  const filter = mode.reportFilter;
  if (mode.type === 'DIRECTIONALITY') {
    if (filter !== undefined) {
      problems.add(
        'reportFilter',
        'cannot be set with type DIRECTIONALITY; use directionalitySettings.advancedConfig',
      );
    }
    // Locations are made of all reads.
    return { kind: Kind.EVERY_READ, scope: Scope.RADIO_WIDE, periodMs: 0 };
  }
  if (filter === undefined) {
    const perAntenna = mode.type === 'CONVEYOR' || mode.type === 'PORTAL';
    const scope = perAntenna ? Scope.PER_ANTENNA : Scope.RADIO_WIDE;
    return { kind: Kind.ONCE, scope, periodMs: 0 };
  }
  const scope = Scope[filter.type];
  if (filter.duration === 0) return { kind: Kind.EVERY_READ, scope, periodMs: 0 };
  return { kind: Kind.PERIODIC, scope, periodMs: filter.duration * 1000 };
}
