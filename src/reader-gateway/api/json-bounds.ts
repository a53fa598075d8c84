/**
 * How much a request may hold, found before it is parsed: what it costs to parse and to check grows
 * with it, and faster than it in places.
 */
import { invalid } from '../../shared/errors.js';
import { MAX_DEPTH } from './plain-value.js';

/** Fields of one object; the interface has objects of some fifty. */
export const MOST_FIELDS = 1000;
/** Values in all objects and lists together: several times what the longest lists of the interface hold. */
export const MOST_VALUES = 20_000;
/** No JSON.parse() for what is deeper; what is less deep is refused by plain-value.ts, with its path. */
const MOST_LEVELS = 1000;
const BACKSLASH = '\\'.charCodeAt(0);

/** @param what The text as messages name it. @throws INVALID saying which bound it is beyond. */
export function assertBounded(text: string, what: string): void {
  const excess = excessOf(text);
  if (excess !== undefined) throw invalid([{ field: what, message: excess }]);
}

function excessOf(text: string): string | undefined {
  /** Of what is not closed yet: the commas in it; below zero: it is a list. */
  const open: number[] = [];
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '"':
        at = endOfString(text, at);
        break;
      case '{':
      case '[':
        if (open.push(text[at] === '{' ? 0 : Number.NEGATIVE_INFINITY) > MOST_LEVELS) {
          return `is nested deeper than ${MAX_DEPTH} levels`;
        }
        values++;
        break;
      case ',': {
        values++;
        const commas = (open.pop() ?? 0) + 1;
        if (commas >= MOST_FIELDS) return `has an object with more than ${MOST_FIELDS} fields`;
        open.push(commas);
        break;
      }
      case '}':
      case ']':
        open.pop();
        break;
    }
    if (values > MOST_VALUES) return `has more than ${MOST_VALUES} values`;
  }
  return undefined;
}

/** @param start Of its opening quote. @returns Where its closing quote is; the length: nowhere. */
export function endOfString(text: string, start: number): number {
  for (let end = start; ; ) {
    end = text.indexOf('"', end + 1);
    if (end < 0) return text.length;
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    // A quote after an odd number of backslashes is one of the text.
    if ((end - before) % 2 === 1) return end;
  }
}
