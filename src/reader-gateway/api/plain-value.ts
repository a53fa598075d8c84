/** What no field of a request may hold, whatever its schema says: it breaks what it is handed to. */
import type { Violation } from '../../shared/errors.js';
import { joinPath, show } from './validate.js';

/** Deeper than anything of the interface; JSON.stringify() ends with the stack of the process. */
export const MAX_DEPTH = 64;

/** @returns undefined if the request may be looked at by its schema, which is one of an object. */
export function faultOfRequest(request: unknown): Violation | undefined {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    return { field: '', message: `the body: ${show(request)} is not an object` };
  }
  return faultOfValue(request);
}

/** @returns The first fault; undefined if there is none. */
export function faultOfValue(value: unknown): Violation | undefined {
  const fault = faultAt(value, 0);
  if (fault === undefined) return undefined;
  const field = fault.names.reduceRight<string>(joinPath, '');
  return { field, message: fault.message };
}

interface Fault {
  /** Names and indices from the innermost to the outermost: a path is made for a fault alone. */
  names: (string | number)[];
  message: string;
}

function faultAt(value: unknown, depth: number): Fault | undefined {
  if (typeof value === 'string') {
    const message = faultOfText(value);
    return message === undefined ? undefined : { names: [], message };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === MAX_DEPTH) {
    return { names: [], message: `is nested deeper than ${MAX_DEPTH} levels` };
  }
  const isArray = Array.isArray(value);
  for (const name of Object.keys(value)) {
    const message = isArray ? undefined : faultOfText(name);
    const inner = (value as Record<string, unknown>)[name];
    const fault = message === undefined ? faultAt(inner, depth + 1) : { names: [], message };
    if (fault === undefined) continue;
    fault.names.push(isArray ? Number(name) : name);
    return fault;
  }
  return undefined;
}

function faultOfText(text: string): string | undefined {
  if (text.includes('\0')) return 'has a NUL character';
  return /\p{Surrogate}/u.test(text) ? 'is not Unicode: it has half of a pair' : undefined;
}
