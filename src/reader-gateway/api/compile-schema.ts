/**
 * Schemas as code. What a start needs is made so by the build: to load the compiler and to compile a
 * mode takes longer than all else that a start does. The rest is compiled when it is asked for first.
 */
import { createHash } from 'node:crypto';
import type { Ajv2020, Options, ValidateFunction } from 'ajv/dist/2020.js';
import { loadAjv } from './ajv-when-needed.js';
import { closed } from './closed.js';
import { READY } from './ready-validators.js';
import type { TSchema } from './schema.js';
import { shareParts } from './shared-parts.js';

/** open: fields that the schema does not name may be there. closed: they are wrong. */
export type Form = 'open' | 'closed';

export const AJV_OPTIONS: Readonly<Options> = {
  allErrors: true,
  verbose: true,
  // It would refuse the array keywords beside the object keywords of "one or per antenna".
  strict: false,
  // The schemas are our own, and tests check them: the schema of schemas would cost a quarter of
  // the start and 10 MB for good.
  meta: false,
  validateSchema: false,
  // Parts that are shared stay so, and code is not written twice to be a little shorter.
  inlineRefs: false,
  code: { optimize: false },
};

let ajv: Ajv2020 | undefined;

export function compileSchema(schema: TSchema, form: Form): ValidateFunction {
  const ready = READY.size > 0 ? READY.get(readyKey(schema, form)) : undefined;
  if (ready !== undefined) return ready;
  ajv ??= new (loadAjv())(AJV_OPTIONS);
  return ajv.compile(compilerInput(schema, form));
}

/** What the compiler gets. */
export function compilerInput(schema: TSchema, form: Form): TSchema {
  return shareParts(form === 'closed' ? closed(schema) : schema);
}

/** By its content: code that was made of another schema is never taken for this one's. */
export function readyKey(schema: TSchema, form: Form): string {
  return `${form} ${createHash('sha256').update(JSON.stringify(schema)).digest('hex')}`;
}
