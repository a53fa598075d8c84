import type { ValidateFunction } from 'ajv/dist/2020.js';

/**
 * Compiled schemas by their readyKey(). None here: the build puts those of checked-at-start.ts in this
 * file's place (toolchain/ready-validators.mjs).
 */
export const READY: ReadonlyMap<string, ValidateFunction> = new Map();
