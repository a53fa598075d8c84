/** What managementEventConfig means, its defaults filled in. Pure. */
import {
  type EventEntry,
  HEARTBEAT_FIELDS,
  type HeartbeatFields,
  type ManagementEventConfig,
} from '../api/management-events.js';

/** Seconds between two reports of what lasts. */
const REPORT_INTERVAL = 1800;

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
    heartbeat: given.heartbeat ?? { fields: allFields(), interval: 60 },
    gpiEvents: given.gpiEvents ?? true,
    gpoEvents: given.gpoEvents ?? true,
    userappEvents: given.userappEvents ?? true,
    radioEvents: given.radioEvents ?? true,
  };
}

export function eventSettings(given: ManagementEventConfig | undefined): EventSettings {
  const { errors, warnings, heartbeat, ...switches } = effectiveEvents(given);
  return {
    errors: rules(errors, DEFAULTS.errors),
    warnings: rules(warnings, DEFAULTS.warnings),
    heartbeat:
      heartbeat === undefined || heartbeat.interval === 0
        ? undefined
        : { fields: heartbeat.fields, intervalMs: heartbeat.interval * 1000 },
    gpi: switches.gpiEvents === true,
    gpo: switches.gpoEvents === true,
    userapp: switches.userappEvents === true,
    radio: switches.radioEvents === true,
  };
}

type Entries = Readonly<Record<string, boolean | EventEntry | undefined>>;
type Defaults = Readonly<Record<string, true | EventEntry>>;

function withDefaults(given: Entries | undefined, defaults: Defaults): object {
  const { userApp, ...entries } = given ?? {};
  const spelled: Entries = userApp === undefined ? entries : { userapp: userApp, ...entries };
  return Object.fromEntries(
    Object.entries(defaults).map(([name, usual]) => {
      const own = spelled[name];
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
