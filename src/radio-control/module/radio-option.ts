/** The option --radio: which radio module, and where it is. */
import { statSync } from 'node:fs';
import { configError, errorMessage } from '../../shared/errors.js';

export interface MercurySpec {
  kind: 'mercury';
  /** Absolute, of a serial line that may not be there yet. */
  path: string;
  /** That the module has; 0 = it is looked for. */
  baud: number;
  /** That it is raised to; 0 = it stays as it is found. */
  workBaud: number;
  /** Pins of the module that are inputs and outputs of the reader, in the order of their ports. */
  inputPins: number[];
  outputPins: number[];
}

export interface VirtualSpec {
  kind: 'virtual';
  /** Kind of module whose features the simulated radio has; undefined: its own. */
  imitate?: string;
}

/** A driver that was built in from outside the tree: it knows itself what its settings are. */
export interface DriverSpec {
  kind: 'driver';
  name: string;
  /** Absolute. */
  path: string;
  settings: Record<string, string>;
}

export type RadioSpec = VirtualSpec | MercurySpec | DriverSpec;

export const RADIO_FORM =
  'virtual[:KIND], or mercury:/dev/PORT[,baud=RATE][,work-baud=RATE][,gpi=PIN+...][,gpo=PIN+...], ' +
  'or DRIVER:/dev/PORT[,SETTING=VALUE...] with a driver of your own';

const DEFAULT_WORK_BAUD = 921_600;
const MAX_PIN = 4;
/** Rates that modules know. */
const BAUD_RATES = [
  9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600, 1_000_000,
] as const;

/** Some of its pins are lines of the reader. */
export function hasPins({ inputPins, outputPins }: MercurySpec): boolean {
  return inputPins.length + outputPins.length > 0;
}

/** Simulated, maybe with the features of another. */
export function isVirtual(text: string): boolean {
  return /^virtual(:|$)/.test(text);
}

/** Has the form of a radio, and may be one. */
export function isRadio(text: string): boolean {
  return /^(virtual(:[a-z0-9]+)?|(?!virtual:|replay:)[a-z][a-z0-9]*:\/.+)$/s.test(text);
}

/** Throws a CONFIG error. A line that is not there is none: it may be plugged in later. */
export function parseRadio(text: string): RadioSpec {
  const [isSimulated, imitate] = /^virtual(?::([a-z0-9]+))?$/.exec(text) ?? [];
  if (isSimulated !== undefined) {
    return { kind: 'virtual', ...(imitate === undefined ? {} : { imitate }) };
  }
  const [, rest] = /^mercury:(.*)$/s.exec(text) ?? [];
  if (rest === undefined) {
    if (isRadio(text)) return parseDriver(text);
    throw wrong(`${text === '' ? 'nothing' : text} given`);
  }
  const [path = '', ...settings] = rest.split(',');
  checkPath(path);
  const spec: MercurySpec = {
    kind: 'mercury',
    path,
    baud: 0,
    workBaud: DEFAULT_WORK_BAUD,
    inputPins: [],
    outputPins: [],
  };
  for (const setting of settings) {
    const [name, value = ''] = setting.split('=', 2);
    if (name === 'baud') spec.baud = baudRate(name, value);
    else if (name === 'work-baud') spec.workBaud = baudRate(name, value);
    else if (name === 'gpi') spec.inputPins = pins(name, value);
    else if (name === 'gpo') spec.outputPins = pins(name, value);
    else throw wrong(`unknown setting "${setting}"`);
  }
  const twice = spec.inputPins.find((pin) => spec.outputPins.includes(pin));
  if (twice !== undefined) throw configError(`--radio: pin ${twice} is an input and an output`);
  return spec;
}

/** `NAME:/dev/PORT,SETTING=VALUE`; whether there is such a driver the native core knows. */
function parseDriver(text: string): DriverSpec {
  const colon = text.indexOf(':');
  const [path = '', ...given] = text.slice(colon + 1).split(',');
  if (path.includes('\0')) throw wrong(`"${path}" is not an absolute path`);
  const settings: Record<string, string> = Object.create(null);
  for (const setting of given) {
    const [, name, value] = /^([a-z][a-z0-9-]*)=(.*)$/s.exec(setting) ?? [];
    if (name === undefined || value === undefined || name in settings) {
      throw configError(`--radio: "${setting}" given; allowed: SETTING=VALUE, each once`);
    }
    settings[name] = value;
  }
  return { kind: 'driver', name: text.slice(0, colon), path, settings };
}

/** `1+2` */
function pins(name: string, text: string): number[] {
  const all = text.split('+').map((one) => (/^\d$/.test(one) ? Number(one) : 0));
  if (all.some((pin) => pin < 1 || pin > MAX_PIN) || new Set(all).size < all.length) {
    throw configError(
      `--radio: ${name}=${text} given; allowed: pins 1..${MAX_PIN} with + between them, each once`,
    );
  }
  return all;
}

function checkPath(path: string): void {
  if (!path.startsWith('/') || path.includes('\0')) {
    throw wrong(`"${path}" is not an absolute path`);
  }
  let isDevice: boolean | undefined;
  try {
    isDevice = statSync(path, { throwIfNoEntry: false })?.isCharacterDevice();
  } catch (error) {
    throw configError(`--radio: ${errorMessage(error)}`);
  }
  if (isDevice === false) throw configError(`--radio: ${path} is not a serial line`);
}

function baudRate(name: string, text: string): number {
  const rate = BAUD_RATES.find((one) => String(one) === text);
  if (rate !== undefined) return rate;
  throw configError(`--radio: ${name}=${text} given; allowed: ${BAUD_RATES.join(', ')}`);
}

function wrong(what: string): Error {
  return configError(`--radio: ${what}; allowed: ${RADIO_FORM}`);
}
