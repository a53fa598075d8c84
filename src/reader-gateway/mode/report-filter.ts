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
  return (mode.inventorySettings ?? mode.modeSpecificSettings)?.interval ?? DEFAULT_INTERVAL;
}

export function compileReportFilter(mode: OperatingMode, problems: Problems): ReportFilterPlan {
  const { Kind, Scope } = ReportFilter;
  refuseMisplaced(mode, problems);
  if (mode.type === 'INVENTORY') {
    const { value, unit } = intervalOf(mode);
    const periodMs = value * UNIT_MS[unit];
    if (periodMs > MAX_PERIOD_MS) {
      const key = mode.inventorySettings ? 'inventorySettings' : 'modeSpecificSettings';
      problems.add(`${key}.interval.value`, `${value} ${unit} is above 4294967295 seconds`);
    }
    return { kind: Kind.INTERVAL, scope: Scope.PER_ANTENNA, periodMs };
  }
  const filter = mode.reportFilter;
  if (filter === undefined) {
    const scope = mode.type === 'CONVEYOR' ? Scope.PER_ANTENNA : Scope.RADIO_WIDE;
    return { kind: Kind.ONCE, scope, periodMs: 0 };
  }
  const scope = Scope[filter.type];
  if (filter.duration === 0) return { kind: Kind.EVERY_READ, scope, periodMs: 0 };
  return { kind: Kind.PERIODIC, scope, periodMs: filter.duration * 1000 };
}

function refuseMisplaced(mode: OperatingMode, problems: Problems): void {
  if (mode.type === 'INVENTORY') {
    if (mode.reportFilter !== undefined) {
      problems.add(
        'reportFilter',
        'cannot be set with type INVENTORY; use inventorySettings.interval',
      );
    }
    if (mode.inventorySettings !== undefined && mode.modeSpecificSettings !== undefined) {
      problems.add('modeSpecificSettings', 'cannot be set together with inventorySettings');
    }
    return;
  }
  for (const key of ['inventorySettings', 'modeSpecificSettings'] as const) {
    if (mode[key]?.interval !== undefined) {
      problems.add(`${key}.interval`, `has no meaning with type ${mode.type}, only with INVENTORY`);
    }
  }
}
