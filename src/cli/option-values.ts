/** Checks single option values, from text (command line, environment) or from JSON. */

import { PLATFORM_NAMES } from '../platform/platform-name.js';
import { LISTEN_FORM, parseListen } from '../radio-control/listen-option.js';
import { isRadio, RADIO_FORM } from '../radio-control/module/radio-option.js';
import { LOG_FORMATS } from '../shared/log-formats.js';
import type { OptionKind, OptionSpec } from './option-table.js';

export type OptionValue = string | number | boolean;

interface Rule {
  allowed: string;
  /** @returns undefined if the value is not allowed. */
  accept(value: unknown): OptionValue | undefined;
}

function integer(low: number, high: number): Rule {
  return {
    allowed: `${low}..${high}`,
    accept: (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high
        ? value
        : undefined,
  };
}

function oneOf(names: readonly string[]): Rule {
  return {
    allowed: names.join(', '),
    accept: (value) => names.find((name) => name === value),
  };
}

const TEXT: Rule = {
  allowed: 'a text that is not empty',
  accept: (value) => (typeof value === 'string' && value !== '' ? value : undefined),
};

const RULES: Record<OptionKind, Rule> = {
  path: TEXT,
  text: TEXT,
  source: TEXT,
  port: integer(1, 65535),
  listen: {
    allowed: LISTEN_FORM,
    accept: (value) =>
      typeof value === 'string' && parseListen(value) !== undefined ? value : undefined,
  },
  streams: integer(1, 1024),
  seed: integer(0, 2 ** 32 - 1),
  flag: {
    allowed: 'true or false',
    accept: (value) => (typeof value === 'boolean' ? value : undefined),
  },
  megabytes: integer(1, 1000),
  platform: oneOf(PLATFORM_NAMES),
  radio: {
    allowed: RADIO_FORM,
    accept: (value) => (typeof value === 'string' && isRadio(value) ? value : undefined),
  },
  'log-format': oneOf(LOG_FORMATS),
};

/** Throws an Error that says what was given and what is allowed. */
export function checkValue(spec: OptionSpec, value: unknown): OptionValue {
  const rule = RULES[spec.kind];
  const accepted = rule.accept(value);
  if (accepted !== undefined) return accepted;
  throw new Error(`${JSON.stringify(value)} given; allowed: ${rule.allowed}`);
}

export function checkText(spec: OptionSpec, text: string): OptionValue {
  const rule = RULES[spec.kind];
  const accepted = rule.accept(fromText(spec.kind, text));
  if (accepted !== undefined) return accepted;
  throw new Error(`${text === '' ? 'nothing' : text} given; allowed: ${rule.allowed}`);
}

const NUMBERS: readonly OptionKind[] = ['port', 'seed', 'megabytes', 'streams'];

function fromText(kind: OptionKind, text: string): unknown {
  if (NUMBERS.includes(kind)) {
    return /^\d+$/.test(text) ? Number(text) : text;
  }
  if (kind !== 'flag') return text;
  if (['1', 'true', 'yes'].includes(text)) return true;
  return ['0', 'false', 'no'].includes(text) ? false : text;
}
