/** tagIdFilter: which tags are reported at all, by their id. */
import { IdFilter } from '../../contract/messages.js';
import type { OperatingMode } from '../api/mode.js';
import { show } from '../api/validate.js';
import type { Problems } from './problems.js';
import type { RadioFacts } from './radio-facts.js';

/** The contract's IdFilter. */
export interface IdFilterPlan {
  match: number;
  value: string;
  exclude: boolean;
}

const MATCHES = {
  prefix: IdFilter.Match.PREFIX,
  suffix: IdFilter.Match.SUFFIX,
  regex: IdFilter.Match.REGEX,
} as const;

/** @returns undefined if none is needed: a prefix is selected on the air, where there are Selects. */
export function compileIdFilter(
  mode: OperatingMode,
  radio: RadioFacts,
  problems: Problems,
): IdFilterPlan | undefined {
  const filter = mode.tagIdFilter;
  if (filter === undefined) return undefined;
  const { match, value, operation = 'include' } = filter;
  if (match !== 'regex' && !/^([0-9a-fA-F]{2}){1,62}$/.test(value)) {
    problems.add(
      'tagIdFilter.value',
      `${show(value)} is not hexadecimal with an even number of digits, 2 to 124`,
    );
  }
  if (match === 'regex' && !isExpression(value)) {
    problems.add('tagIdFilter.value', `${show(value)} is not a regular expression`);
  }
  if (match === 'prefix' && radio.hasSelects) return undefined;
  return { match: MATCHES[match], value, exclude: operation === 'exclude' };
}

function isExpression(text: string): boolean {
  if (text.length === 0 || text.length > 1024) return false;
  try {
    new RegExp(text, 'i');
    return true;
  } catch {
    return false;
  }
}
