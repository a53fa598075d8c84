/** JSON of requests. Of two equal keys JSON.parse() takes the last one silently: here they are refused. */
import { invalid, MOST_LISTED, type Violation } from '../../shared/errors.js';
import { jsonProblem } from '../../shared/json-problem.js';
import { assertBounded, endOfString } from './json-bounds.js';
import { MAX_DEPTH } from './plain-value.js';
import { joinPath } from './validate.js';

const QUOTE = '"'.charCodeAt(0);
const COLON = ':'.charCodeAt(0);

/**
 * @param what The text as messages name it: "the body".
 * @throws INVALID if it is no JSON or beyond the bounds of json-bounds.ts, or naming each key that an object of it has more than once.
 */
export function parseRequest(text: string, what: string): unknown {
  assertBounded(text, what);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid([{ field: '', message: `${what} is not JSON: ${jsonProblem(error)}` }]);
  }
  // To count is cheap; to look for the names is left to the few texts that have some twice.
  if (keysOfText(text) !== keysOfValue(value)) throw invalid(repeatedKeys(text));
  return value;
}

/** Of a text that is JSON: a colon that is in no string follows a key. */
function keysOfText(text: string): number {
  let keys = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = endOfString(text, at);
    else if (character === COLON) keys++;
  }
  return keys;
}

/** Not by recursion: a request may be nested deeper than the stack of the process. */
function keysOfValue(value: unknown): number {
  let keys = 0;
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null) continue;
    const inner = Object.values(next);
    if (!Array.isArray(next)) keys += inner.length;
    for (const one of inner) waiting.push(one);
  }
  return keys;
}

/** An object or list that is not closed yet, where the text is. */
interface Open {
  path: string;
  /** Of an object, those that were there; undefined: it is a list. */
  keys: Set<string> | undefined;
  /** Key or index of the value that comes now. */
  now: string | number;
}

/** @returns At least one, if a key is there twice or the nesting is too deep to say. */
function repeatedKeys(text: string): Violation[] {
  const found = new Map<string, Violation>();
  const open: Open[] = [];
  let key: string | undefined;
  for (let at = 0; at < text.length && found.size <= MOST_LISTED; at++) {
    const character = text[at];
    const inside = open.at(-1);
    if (character === '"') {
      const end = endOfString(text, at);
      key = JSON.parse(text.slice(at, end + 1)) as string;
      at = end;
    } else if (character === ':' && inside?.keys !== undefined && key !== undefined) {
      inside.now = key;
      const field = joinPath(inside.path, key);
      if (inside.keys.has(key)) found.set(field, { field, message: 'is given more than once' });
      inside.keys.add(key);
    } else if (character === ',' && inside !== undefined && typeof inside.now === 'number') {
      inside.now++;
    } else if (character === '{' || character === '[') {
      const path = inside === undefined ? '' : joinPath(inside.path, inside.now);
      if (open.length === MAX_DEPTH) {
        return [{ field: path, message: `is nested deeper than ${MAX_DEPTH} levels` }];
      }
      open.push(
        character === '{' ? { path, keys: new Set(), now: '' } : { path, keys: undefined, now: 0 },
      );
    } else if (character === '}' || character === ']') open.pop();
  }
  return [...found.values()];
}
