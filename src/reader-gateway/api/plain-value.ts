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
  return faultAt(value, '', 0);
}

function faultAt(value: unknown, field: string, depth: number): Violation | undefined {
  if (typeof value === 'string') {
    const message = faultOfText(value);
    return message === undefined ? undefined : { field, message };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === MAX_DEPTH) return { field, message: `is nested deeper than ${MAX_DEPTH} levels` };
  const isArray = Array.isArray(value);
  for (const name of Object.keys(value)) {
    const path = joinPath(field, isArray ? Number(name) : name);
    const message = isArray ? undefined : faultOfText(name);
    if (message !== undefined) return { field: path, message };
    const fault = faultAt((value as Record<string, unknown>)[name], path, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOfText(text: string): string | undefined {
  if (text.includes('\0')) return 'has a NUL character';
  return /\p{Surrogate}/u.test(text) ? 'is not Unicode: it has half of a pair' : undefined;
}
