import type { ValidateFunction } from 'ajv/dist/2020.js';

/**
 * Compiled schemas by their readyKey(). None here: in the bundle stand those of checked-at-start.ts
 * in this file's place.
 */
export const READY: ReadonlyMap<string, ValidateFunction> = new Map();
