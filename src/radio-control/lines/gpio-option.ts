/** The value of --gpio: which lines of which GPIO chips are the inputs and outputs of the reader. */
import { configError } from '../../shared/errors.js';

export const BIASES = ['as-is', 'off', 'pull-up', 'pull-down'] as const;
export type Bias = (typeof BIASES)[number];

export interface GpioChipSpec {
  path: string;
  /** Offsets in the chip. */
  inputs: number[];
  outputs: number[];
  inputsActiveLow: boolean;
  outputsActiveLow: boolean;
  bias: Bias;
  debounceMs: number;
}

export const GPIO_FORM =
  '/dev/gpiochipN[:gpi=LINE,...][:gpo=LINE,...][:debounce=MS][:bias=as-is|off|pull-up|pull-down]' +
  '[:active-low=gpi|gpo|gpi,gpo]';

/** A contact that bounces is quiet within this time; a light barrier is slower. */
const DEFAULT_DEBOUNCE_MS = 5;
const MAX_DEBOUNCE_MS = 1000;
const MAX_LINES = 16;
const MAX_OFFSET = 65_535;

/**
 * Chips are separated by blanks. The first input of the first chip is port 1, and so on.
 * @throws CONFIG
 */
export function parseGpio(text: string): GpioChipSpec[] {
  const chips = text
    .split(/\s+/)
    .filter((part) => part !== '')
    .map(parseChip);
  if (chips.length === 0) throw wrong('nothing given');
  for (const kind of ['inputs', 'outputs'] as const) {
    const count = chips.reduce((sum, chip) => sum + chip[kind].length, 0);
    if (count > MAX_LINES) throw wrong(`${count} ${kind}; at most ${MAX_LINES}`);
  }
  const all = chips.flatMap(({ path, inputs, outputs }) =>
    [...inputs, ...outputs].map((line) => `line ${line} of ${path}`),
  );
  const twice = all.find((line, i) => all.indexOf(line) !== i);
  if (twice !== undefined) throw wrong(`${twice} is there twice`);
  return chips;
}

function parseChip(text: string): GpioChipSpec {
  const [path = '', ...settings] = text.split(':');
  if (!path.startsWith('/')) throw wrong(`${path} is not the path of a chip`);
  const given = new Map<string, string>();
  for (const setting of settings) {
    const equals = setting.indexOf('=');
    const key = equals < 0 ? setting : setting.slice(0, equals);
    if (!KEYS.includes(key) || equals < 0) throw wrong(`"${setting}" is not known`);
    if (given.has(key)) throw wrong(`${key} is there twice in ${text}`);
    given.set(key, setting.slice(equals + 1));
  }
  const chip: GpioChipSpec = {
    path,
    inputs: offsets('gpi', given.get('gpi')),
    outputs: offsets('gpo', given.get('gpo')),
    inputsActiveLow: activeLow(given.get('active-low')).includes('gpi'),
    outputsActiveLow: activeLow(given.get('active-low')).includes('gpo'),
    bias: bias(given.get('bias')),
    debounceMs: debounce(given.get('debounce')),
  };
  if (chip.inputs.length + chip.outputs.length === 0) throw wrong(`${text} names no line`);
  return chip;
}

const KEYS = ['gpi', 'gpo', 'debounce', 'bias', 'active-low'];

function offsets(key: string, text: string | undefined): number[] {
  if (text === undefined) return [];
  return text.split(',').map((one) => {
    if (!/^\d{1,5}$/.test(one) || Number(one) > MAX_OFFSET) {
      throw wrong(`${key}: "${one}" is not the number of a line, 0..${MAX_OFFSET}`);
    }
    return Number(one);
  });
}

function activeLow(text: string | undefined): string[] {
  if (text === undefined) return [];
  const kinds = text.split(',');
  const odd = kinds.find((kind) => kind !== 'gpi' && kind !== 'gpo');
  if (odd !== undefined) throw wrong(`active-low: "${odd}" is not one of gpi, gpo`);
  return kinds;
}

function bias(text: string | undefined): Bias {
  if (text === undefined) return 'as-is';
  const found = BIASES.find((one) => one === text);
  if (found === undefined) throw wrong(`bias: "${text}" is not one of ${BIASES.join(', ')}`);
  return found;
}

function debounce(text: string | undefined): number {
  if (text === undefined) return DEFAULT_DEBOUNCE_MS;
  if (!/^\d{1,5}$/.test(text) || Number(text) > MAX_DEBOUNCE_MS) {
    throw wrong(`debounce: "${text}" is not a number of milliseconds, 0..${MAX_DEBOUNCE_MS}`);
  }
  return Number(text);
}

function wrong(what: string) {
  return configError(`--gpio: ${what}; allowed: ${GPIO_FORM}, more chips separated by blanks`);
}
