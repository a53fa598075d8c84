/** Checks values against the resource schemas: all violations at once, each with its field. */
import { createRequire } from 'node:module';
import type { TSchema } from '@sinclair/typebox';
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { invalid, type Violation } from '../../shared/errors.js';
import { isMisplaced, isSecretPath, withoutUrlPassword } from '../../shared/secret-names.js';

// ajv is loaded when the first value is checked: a start without stored files needs none.
const require = createRequire(import.meta.url);
let ajv: Ajv2020 | undefined;
const compiled = new WeakMap<TSchema, ValidateFunction>();

function validator(schema: TSchema): ValidateFunction {
  let validate = compiled.get(schema);
  if (validate === undefined) {
    ajv ??= createAjv();
    validate = ajv.compile(schema);
    compiled.set(schema, validate);
  }
  return validate;
}

function createAjv(): Ajv2020 {
  const { Ajv2020: Constructor } = require('ajv/dist/2020.js') as {
    Ajv2020: new (options: object) => Ajv2020;
  };
  // strict would refuse the array keywords beside the object keywords of "one or per antenna".
  return new Constructor({ allErrors: true, verbose: true, strict: false });
}

/** @returns Every violation; none if the value fits the schema. */
export function findViolations(schema: TSchema, value: unknown): Violation[] {
  const validate = validator(schema);
  if (validate(value)) return [];
  const violations: Violation[] = [];
  for (const error of validate.errors ?? []) {
    // The failed condition itself says nothing that its branch does not say.
    if (error.keyword === 'if') continue;
    const found = toViolation(error);
    // A value of the wrong type breaks every other rule too: the first word about a field is enough.
    if (!violations.some(({ field }) => field === found.field)) violations.push(found);
  }
  return violations;
}

/** Throws an INVALID error that names every wrong field. */
export function assertValid(schema: TSchema, value: unknown): void {
  const violations = findViolations(schema, value);
  if (violations.length > 0) throw invalid(violations);
}

/** `/antennas/1/power` and a property of it as `antennas[1].power.property`. */
function fieldPath(pointer: string, property?: string): string {
  let path = '';
  const names = pointer.split('/').slice(1);
  if (property !== undefined) names.push(property);
  for (const name of names) path = joinPath(path, name.replaceAll('~1', '/').replaceAll('~0', '~'));
  return path;
}

/** The path of a part: indices in brackets, names after a dot. */
export function joinPath(path: string, name: string | number): string {
  if (/^\d+$/.test(String(name))) return `${path}[${name}]`;
  return path === '' ? String(name) : `${path}.${name}`;
}

/** A given value in a message: short whatever the client sent, and without what is secret in it. */
export function show(value: unknown): string {
  const text = JSON.stringify(value, withoutSecret) ?? String(value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}

function withoutSecret(key: string, value: unknown): unknown {
  if (isSecretPath([key]) || isMisplaced(key, value)) return HIDDEN;
  return typeof value === 'string' ? withoutUrlPassword(value, HIDDEN) : value;
}

const HIDDEN = '(secret)';

const TYPE_NAMES: Record<string, string> = {
  integer: 'an integer',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
};

function toViolation(error: ErrorObject): Violation {
  const { missingProperty, additionalProperty } = error.params;
  const field = fieldPath(error.instancePath, missingProperty ?? additionalProperty);
  return { field, message: messageOf(error) };
}

function messageOf(error: ErrorObject): string {
  const names = error.instancePath.split('/').slice(1);
  const given =
    isSecretPath(names) || isMisplaced(names.at(-1) ?? '', error.data)
      ? 'the given value'
      : show(error.data);
  const limit = error.params.limit;
  switch (error.keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return `is unknown; allowed: ${Object.keys(error.parentSchema?.properties ?? {}).join(', ')}`;
    case 'type': {
      const types = [error.params.type].flat().map((name: string) => TYPE_NAMES[name] ?? name);
      return `${given} is not ${types.join(' or ')}`;
    }
    case 'enum':
      return `${given} is not one of ${error.params.allowedValues.join(', ')}`;
    case 'minimum':
      return `${given} is below the minimum of ${limit}`;
    case 'exclusiveMinimum':
      return `${given} is not above ${limit}`;
    case 'maximum':
      return `${given} is above the maximum of ${limit}`;
    case 'minItems':
      return `needs at least ${limit} ${limit === 1 ? 'entry' : 'entries'}`;
    case 'maxItems':
      return `has more than ${limit} entries`;
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `is shorter than ${limit} characters`;
    case 'maxLength':
      return `is longer than ${limit} characters`;
    case 'pattern':
      return `${given} is not ${error.parentSchema?.description ?? `like ${error.params.pattern}`}`;
    default:
      return `${given} ${error.message ?? 'is wrong'}`;
  }
}
