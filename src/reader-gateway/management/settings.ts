/** What managementEventConfig means, its defaults filled in. Pure. */
import {
  type EventEntry,
  HEARTBEAT_FIELDS,
  type Heartbeat,
  type HeartbeatFields,
  type ManagementEventConfig,
} from '../api/management-events.js';
import { type OrNull, withoutNulls } from '../api/nulls.js';

/** Seconds between two reports of what lasts. */
const REPORT_INTERVAL = 1800;

/** Seconds from beat to beat. */
const HEARTBEAT_S = 60;

const above = (threshold: number) => ({ threshold, reportIntervalInSec: REPORT_INTERVAL });

const DEFAULTS = {
  errors: {
    cpu: above(90),
    flash: above(90),
    ram: above(90),
    ntp: true,
    reader_gateway: true,
    antenna: true,
    database: true,
    radio: true,
    radio_control: true,
    userapp: above(60),
  },
  warnings: {
    cpu: above(80),
    flash: above(80),
    ram: above(90),
    ntp: above(1000),
    temperature: { ambient: 75, pa: 105 },
    reader_gateway: true,
    database: true,
    radio_api: true,
    radio_control: true,
    userapp: above(10),
    certificate: true,
  },
} satisfies Record<string, Record<string, true | EventEntry>>;

export type ErrorName = keyof (typeof DEFAULTS)['errors'];
export type WarningName = keyof (typeof DEFAULTS)['warnings'];
export type Subsystem = ErrorName | WarningName;

/** Of an error or a warning that is switched on. */
export interface Rule extends Pick<EventEntry, 'threshold' | 'ambient' | 'pa'> {
  /** 0 = one report, however long it lasts. */
  intervalMs: number;
}

export interface EventSettings {
  errors: Partial<Record<ErrorName, Rule>>;
  warnings: Partial<Record<WarningName, Rule>>;
  heartbeat: { fields: HeartbeatFields; intervalMs: number } | undefined;
  gpi: boolean;
  gpo: boolean;
  userapp: boolean;
  radio: boolean;
}

/** What holds, in the form of the interface. */
export function effectiveEvents(given: ManagementEventConfig = {}): ManagementEventConfig {
  return {
    errors: withDefaults(given.errors, DEFAULTS.errors),
    warnings: withDefaults(given.warnings, DEFAULTS.warnings),
    heartbeat: effectiveHeartbeat(given.heartbeat),
    gpiEvents: given.gpiEvents ?? true,
    gpoEvents: given.gpoEvents ?? true,
    userappEvents: given.userappEvents ?? true,
    radioEvents: given.radioEvents ?? true,
  };
}

function effectiveHeartbeat(given: Heartbeat = {}): Required<Heartbeat> {
  return { fields: given.fields ?? allFields(), interval: given.interval ?? HEARTBEAT_S };
}

/**
 * What a change makes of what was set: entries of errors and warnings, keys of the heartbeat and
 * switches that it does not name stay; null takes one back.
 */
export function changeEvents(
  stored: ManagementEventConfig = {},
  { errors, warnings, heartbeat, ...switches }: OrNull<ManagementEventConfig>,
): ManagementEventConfig {
  return withoutNulls({
    ...stored,
    ...switches,
    errors: merged(spelled(stored.errors), spelled(errors)),
    warnings: merged(spelled(stored.warnings), spelled(warnings)),
    heartbeat: merged(stored.heartbeat, heartbeat),
  });
}

/** undefined if nothing is left of it. */
function merged<T extends object>(
  stored: T | undefined,
  change: OrNull<T> | null | undefined,
): T | undefined {
  if (change === null) return undefined;
  const next = withoutNulls<T>({ ...stored, ...change });
  return Object.keys(next).length === 0 ? undefined : next;
}

export function eventSettings(given: ManagementEventConfig | undefined): EventSettings {
  const { errors, warnings, ...switches } = effectiveEvents(given);
  const { fields, interval } = effectiveHeartbeat(given?.heartbeat);
  return {
    errors: rules(errors, DEFAULTS.errors),
    warnings: rules(warnings, DEFAULTS.warnings),
    heartbeat: interval === 0 ? undefined : { fields, intervalMs: interval * 1000 },
    gpi: switches.gpiEvents === true,
    gpo: switches.gpoEvents === true,
    userapp: switches.userappEvents === true,
    radio: switches.radioEvents === true,
  };
}

type Entries = Readonly<Record<string, boolean | EventEntry | undefined>>;
type Defaults = Readonly<Record<string, true | EventEntry>>;

/** With the one spelling of userapp. */
function spelled<T extends object | null | undefined>(given: T): T {
  const { userApp, ...entries } = (given ?? {}) as { userApp?: unknown };
  return userApp === undefined ? given : ({ userapp: userApp, ...entries } as T);
}

function withDefaults(given: Entries | undefined, defaults: Defaults): object {
  const entries = spelled(given) ?? {};
  return Object.fromEntries(
    Object.entries(defaults).map(([name, usual]) => {
      const own = entries[name];
      if (typeof own !== 'object') return [name, own ?? usual];
      return [name, usual === true ? own : { ...usual, ...own }];
    }),
  );
}

function rules(entries: Entries | undefined, defaults: Defaults): Record<string, Rule> {
  const found: Record<string, Rule> = {};
  for (const [name, usual] of Object.entries(defaults)) {
    const entry = entries?.[name];
    if (entry === undefined || entry === false) continue;
    const { reportIntervalInSec = REPORT_INTERVAL, ...limits } = {
      ...(usual === true ? {} : usual),
      ...(entry === true ? {} : entry),
    };
    found[name] = { ...limits, intervalMs: reportIntervalInSec * 1000 };
  }
  return found;
}

function allFields(): HeartbeatFields {
  const { radio_control, reader_gateway, system, userapps } = HEARTBEAT_FIELDS;
  return {
    radio_control: [...radio_control],
    reader_gateway: [...reader_gateway],
    // It has the address under another name already.
    system: system.filter((name) => name !== 'MACADDRESS'),
    userapps: [...userapps],
  };
}
