/** IdFilter of the contract -> settings of the id filter. */
import { readFileSync } from 'node:fs';
import { createContext, Script } from 'node:vm';
import { IdFilter as IdFilterMessage, type InventoryPlanInput } from '../../contract/messages.js';
import { errorMessage, type Violation } from '../../shared/errors.js';
import type { IdFilterSettings } from '../reports/id-filter.js';

/** The longest EPC: 62 bytes. */
const MAX_ID_DIGITS = 124;
const MAX_EXPRESSION = 1024;
/** Ids are hexadecimal: their digits have no case. */
const EXPRESSION_FLAGS = 'i';
/** An expression is tried on ids that are hard for it; one that takes so long is refused. */
const TRIAL_MS = 50;
/** A machine that is busy elsewhere is given more and more time, up to this for one trial. */
const LONGEST_TRIAL_MS = 800;
/** The kernel counts by its ticks, and wakes the watch of a trial a little late or early. */
const MOST_OF_IT = 0.8;
/** Nanoseconds that the main thread had a processor come first; other threads may be busy. */
const OWN_TIME = `/proc/self/task/${process.pid}/schedstat`;

/** @returns undefined without a filter, or with a violation. */
export function compileIdFilter(
  message: InventoryPlanInput['idFilter'],
  violations: Violation[],
): IdFilterSettings | undefined {
  const { Match } = IdFilterMessage;
  const match = message?.match ?? Match.ANY;
  const value = message?.value ?? '';
  const exclude = message?.exclude ?? false;
  if (match === Match.ANY) return undefined;
  const wrong = (field: string, text: string) => {
    violations.push({ field: `id_filter.${field}`, message: text });
    return undefined;
  };
  if (match === Match.REGEX) {
    const trouble = troubleWith(value);
    if (trouble !== undefined) return wrong('value', trouble);
    return { match: 'regex', expression: new RegExp(value, EXPRESSION_FLAGS), exclude };
  }
  if (match !== Match.PREFIX && match !== Match.SUFFIX) {
    return wrong('match', `${match} is unknown; allowed: ANY, PREFIX, SUFFIX, REGEX`);
  }
  if (!/^[0-9a-fA-F]*$/.test(value) || value.length === 0 || value.length > MAX_ID_DIGITS) {
    return wrong('value', `"${value}" given; allowed: 1..${MAX_ID_DIGITS} hexadecimal digits`);
  }
  return {
    match: match === Match.PREFIX ? 'prefix' : 'suffix',
    digits: value.toLowerCase(),
    exclude,
  };
}

/** What is wrong with a regular expression that comes from outside; undefined = nothing. */
export function troubleWith(expression: string): string | undefined {
  if (expression.length === 0 || expression.length > MAX_EXPRESSION) {
    return `${expression.length} characters given; allowed: 1..${MAX_EXPRESSION}`;
  }
  try {
    new RegExp(expression, EXPRESSION_FLAGS);
  } catch (error) {
    return `"${expression}" given; allowed: a regular expression (${errorMessage(error)})`;
  }
  // One with nested repetitions can take for ever on a single id, and every read would wait.
  const context = createContext({ expression, flags: EXPRESSION_FLAGS, ids: hardIds() });
  // A block: the script runs again in the same context, where a name cannot be declared twice.
  const script = new Script(
    '{ const e = new RegExp(expression, flags); for (const id of ids) e.test(id); }',
  );
  for (let timeout = TRIAL_MS; timeout <= LONGEST_TRIAL_MS; timeout *= 2) {
    const before = ownMs();
    try {
      script.runInContext(context, { timeout });
      return undefined;
    } catch {}
    // Time in which this thread had no processor says nothing of the expression.
    if (ownMs() - before >= TRIAL_MS * MOST_OF_IT) break;
  }
  return `"${expression}" given; allowed: an expression that is quick on every id`;
}

/** Time of the processor that this thread has had; where the kernel does not say, of the process. */
function ownMs(): number {
  try {
    return Number(readFileSync(OWN_TIME, 'latin1').split(' ')[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

function hardIds(): string[] {
  const digits = [...'0123456789abcdef'];
  const alike = digits.map((digit) => `${digit.repeat(MAX_ID_DIGITS - 1)}x`);
  const mixed = ['30', '0f', 'e2', 'ab', '01'].map((pair) => `${pair.repeat(61)}x`);
  return [...alike, ...mixed, '0123456789abcdef'.repeat(7)];
}
