/** What is wrong, of what was seen of the reader. Pure. */
import type { StateFault } from '../../shared/state-faults.js';
import type { EndpointStatus } from '../endpoint-status.js';
import type { Finding } from './alarms.js';
import type { ErrorName, EventSettings, Rule, Subsystem, WarningName } from './settings.js';

/** Percent that are in use, and the like; measured now and then. */
export interface Measured {
  cpu: number;
  ram: number;
  /** Of the fullest file system. */
  flash: { part: string; percent: number };
  /** Degrees Celsius; undefined = no sensor. */
  ambient: number | undefined;
  pa: number | undefined;
  /** Of the folder that holds what was set. */
  stateFolder: { writable: boolean; freeBytes: number };
}

/** What one look at the reader shows. */
export interface Look {
  /** The radio service answers. */
  service: boolean;
  /** So does the radio module behind it. */
  module: boolean;
  /** Why it does not read although it shall; '' = it does, or shall not. */
  trouble: string;
  /** Reads that the radio service, or the way from it, has lost since the look before. */
  lostReads: number;
  /** Ports that the radio had and has no more. */
  missingAntennas: readonly number[];
  connections: readonly EndpointStatus[];
  /** Events that data connections have lost since the look before, by their names. */
  lostEvents: ReadonlyMap<string, number>;
  /** Applications that shall run and do not. */
  appsDown: readonly { appname: string; lastEnd: string }[];
  /** Milliseconds that the clock is off, and whether the server answers; undefined = no server. */
  ntp: { offset: number; answers: boolean } | undefined;
  measured: Measured;
  /** Files of the state folder that cannot be used. */
  stateFaults: readonly StateFault[];
}

/** A service that is restarted is away for a moment. */
const RADIO_HOLD_MS = 5000;
const CONNECTION_HOLD_MS = 10_000;
/** What the state folder needs to take another file. */
const FULL_BYTES = 1_000_000;
const NEARLY_FULL_BYTES = 16_000_000;

type Body = Omit<Finding, 'level' | 'component' | 'subsystem' | 'intervalMs'>;
type Check = (look: Look, rule: Rule) => Body[];

export function findings(look: Look, settings: EventSettings): Finding[] {
  return [
    ...ofLevel('error', ERRORS, settings.errors, look),
    ...ofLevel('warning', WARNINGS, settings.warnings, look),
  ];
}

/** On whose side it is. */
function componentOf(subsystem: Subsystem) {
  const ofRadio: readonly Subsystem[] = ['antenna', 'radio', 'radio_api', 'radio_control'];
  return ofRadio.includes(subsystem) ? 'RC' : 'RG';
}

function ofLevel<Name extends Subsystem>(
  level: Finding['level'],
  checks: Readonly<Record<Name, Check>>,
  rules: Partial<Record<Name, Rule>>,
  look: Look,
): Finding[] {
  return (Object.entries(rules) as [Name, Rule][]).flatMap(([subsystem, rule]) =>
    checks[subsystem](look, rule).map((body) => ({
      level,
      component: componentOf(subsystem),
      subsystem,
      intervalMs: rule.intervalMs,
      ...body,
    })),
  );
}

const cpu: Check = ({ measured }, rule) =>
  reached('the processor load', '%', measured.cpu, rule.threshold);
const ram: Check = ({ measured }, rule) =>
  reached('the memory in use', '%', measured.ram, rule.threshold);
const flash: Check = ({ measured: { flash } }, rule) =>
  reached(`the flash in use (${flash.part})`, '%', flash.percent, rule.threshold);
const offset: Check = ({ ntp }, rule) =>
  ntp?.answers !== true
    ? []
    : reached('the offset of the clock', ' ms', Math.abs(ntp.offset), rule.threshold);
const appsDown: Check = ({ appsDown: apps }, { threshold = 0 }) =>
  apps.map(({ appname, lastEnd }) => {
    const how = lastEnd === '' ? '' : `: ${lastEnd}`;
    const message = `the application ${appname} does not run${how}`;
    return { instance: appname, message, threshold, holdMs: threshold * 1000 };
  });

const ERRORS: Record<ErrorName, Check> = {
  cpu,
  ram,
  flash,
  ntp: (look, rule) => [
    ...(look.ntp?.answers === false
      ? [{ instance: 'server', message: 'the NTP server does not answer' }]
      : []),
    ...offset(look, rule),
  ],
  userapp: appsDown,
  radio: ({ service, module }) =>
    service && !module
      ? [{ message: 'the radio module is not connected', holdMs: RADIO_HOLD_MS }]
      : [],
  radio_control: ({ service }) =>
    service ? [] : [{ message: 'the radio service does not answer', holdMs: RADIO_HOLD_MS }],
  antenna: ({ missingAntennas }) =>
    missingAntennas.map((port) => ({
      instance: String(port),
      message: `antenna ${port} is not connected any more`,
      value: port,
    })),
  reader_gateway: ({ lostEvents }) =>
    [...lostEvents].map(([name, value]) => {
      const message = `the connection ${name} has lost ${value} events`;
      return { instance: name, message, value, wavers: true };
    }),
  database: ({ measured: { stateFolder }, stateFaults }) => {
    const { writable, freeBytes } = stateFolder;
    const files = stateFaults.map(({ file, message }) => ({ instance: file, message }));
    if (!writable) return [...files, { message: 'the state folder cannot be written' }];
    return freeBytes < FULL_BYTES ? [...files, fullFolder(freeBytes, FULL_BYTES)] : files;
  },
};

const WARNINGS: Record<WarningName, Check> = {
  cpu,
  ram,
  flash,
  ntp: offset,
  userapp: appsDown,
  temperature: ({ measured }, { ambient, pa }) =>
    (
      [
        ['ambient', 'the temperature of the reader', ambient],
        ['pa', 'the temperature of the power amplifier', pa],
      ] as const
    ).flatMap(([instance, what, threshold]) =>
      reached(what, ' °C', measured[instance], threshold).map((body) => ({
        ...body,
        instance,
      })),
    ),
  reader_gateway: ({ connections }) =>
    connections
      .filter(({ state }) => state === 'disconnected')
      .map(({ interface: kind, name, error }) => {
        const why = error === '' ? '' : `: ${error}`;
        const message = `the ${kind} connection ${name} is disconnected${why}`;
        return { instance: `${kind} ${name}`, message, holdMs: CONNECTION_HOLD_MS };
      }),
  radio_control: ({ lostReads }) =>
    lostReads === 0
      ? []
      : [{ message: `${lostReads} reads were lost`, value: lostReads, wavers: true }],
  radio_api: ({ trouble }) => (trouble === '' ? [] : [{ message: `no reading: ${trouble}` }]),
  database: ({ measured: { stateFolder } }) => {
    const { freeBytes } = stateFolder;
    return freeBytes < NEARLY_FULL_BYTES ? [fullFolder(freeBytes, NEARLY_FULL_BYTES)] : [];
  },
  // Reported by the watch of the certificates, once a day.
  certificate: () => [],
};

function reached(
  what: string,
  unit: string,
  value: number | undefined,
  threshold: number | undefined,
): Body[] {
  if (value === undefined || threshold === undefined || value < threshold) return [];
  const message = `${what} is ${value}${unit}, the threshold ${threshold}${unit}`;
  return [{ message, value, threshold, wavers: true }];
}

function fullFolder(value: number, threshold: number): Body {
  const message = `the file system of the state folder has ${value} bytes left`;
  return { message, value, threshold, wavers: true };
}
