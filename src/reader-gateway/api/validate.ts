/** Checks values against the resource schemas: all violations at once, each with its field. */
import type { TSchema } from '@sinclair/typebox';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { invalid, type Violation } from '../../shared/errors.js';
import { isMisplaced, isSecretPath } from '../../shared/secret-names.js';
import { compileSchema, type Form } from './compile-schema.js';
import { show } from './show.js';

export { show };

const compiled: Record<Form, WeakMap<TSchema, ValidateFunction>> = {
  open: new WeakMap(),
  closed: new WeakMap(),
};

function validator(schema: TSchema, form: Form): ValidateFunction {
  let validate = compiled[form].get(schema);
  if (validate === undefined) {
    validate = compileSchema(schema, form);
    compiled[form].set(schema, validate);
  }
  return validate;
}

/** @returns Every violation; none if the value fits the schema. Fields it does not name may be there. */
export function findViolations(schema: TSchema, value: unknown): Violation[] {
  return violationsOf(validator(schema, 'open'), value);
}

/** A number above its maximum, or a list with too few entries; of the right kind otherwise. */
export interface BeyondLimit extends Violation {
  keyword: 'maximum' | 'minItems';
  limit: number;
  /** Names and indices from the value down to it. */
  path: readonly string[];
}

/** What findViolations() finds, with what is only beyond a limit apart from all others. */
export function findBeyondLimits(
  schema: TSchema,
  value: unknown,
): { beyond: BeyondLimit[]; others: Violation[] } {
  const validate = validator(schema, 'open');
  const others = violationsOf(validate, value);
  const fields = new Map(others.map((one) => [one.field, one]));
  const beyond: BeyondLimit[] = [];
  for (const error of others.length === 0 ? [] : (validate.errors ?? [])) {
    const { keyword, params, instancePath } = error;
    if (keyword !== 'maximum' && keyword !== 'minItems') continue;
    const found = toViolation(error);
    // Of a value of the wrong kind the first word is another.
    if (fields.get(found.field)?.message !== found.message) continue;
    fields.delete(found.field);
    beyond.push({ ...found, keyword, limit: params.limit, path: namesIn(instancePath) });
  }
  return { beyond, others: [...fields.values()] };
}

/** Throws an INVALID error that names every wrong field. */
export function assertValid(schema: TSchema, value: unknown): void {
  const violations = findViolations(schema, value);
  if (violations.length > 0) throw invalid(violations);
}

/** Violations in a client's request: here a field that the schema does not name is wrong too. */
export function findRequestViolations(schema: TSchema, value: unknown): Violation[] {
  return violationsOf(validator(schema, 'closed'), value);
}

/** Throws an INVALID error that names every wrong or unknown field. */
export function assertRequest(schema: TSchema, value: unknown): void {
  const violations = findRequestViolations(schema, value);
  if (violations.length > 0) throw invalid(violations);
}

/** A field that a schema does not name. */
export interface UnknownField extends Violation {
  /** Names and indices from the value down to it. */
  path: readonly string[];
}

export function findUnknown(schema: TSchema, value: unknown): UnknownField[] {
  const validate = validator(schema, 'closed');
  const errors = validate(value) ? [] : (validate.errors ?? []);
  const unknown = errors
    .filter(({ keyword }) => keyword === 'additionalProperties')
    .map((error) => ({
      ...toViolation(error),
      path: [...namesIn(error.instancePath), error.params.additionalProperty],
    }));
  // An object whose fields depend on one of them refuses a field in more than one place.
  return [...new Map(unknown.map((one) => [one.field, one])).values()];
}

/** @param paths Of fields that are there. @returns A copy without them; the same if there are none. */
export function withoutFields<T>(value: T, paths: readonly (readonly string[])[]): T {
  if (paths.length === 0) return value;
  const copy = structuredClone(value);
  for (const path of paths) {
    let at = copy as Record<string, unknown>;
    for (const name of path.slice(0, -1)) at = at[name] as Record<string, unknown>;
    delete at[path.at(-1) as string];
  }
  return copy;
}

function violationsOf(validate: ValidateFunction, value: unknown): Violation[] {
  if (validate(value)) return [];
  const violations = new Map<string, Violation>();
  for (const error of validate.errors ?? []) {
    // The failed condition itself says nothing that its branch does not say.
    if (error.keyword === 'if') continue;
    const found = toViolation(error);
    // A value of the wrong type breaks every other rule too: the first word about a field is enough.
    if (!violations.has(found.field)) violations.set(found.field, found);
  }
  return [...violations.values()];
}

/** The names in a JSON pointer. */
function namesIn(pointer: string): string[] {
  const names = pointer.split('/').slice(1);
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** `/antennas/1/power` and a property of it as `antennas[1].power.property`. */
function fieldPath(pointer: string, property?: string): string {
  const names = namesIn(pointer);
  if (property !== undefined) names.push(property);
  return names.reduce<string>(joinPath, '');
}

const LONGEST_NAME = 64;

/** The path of a part: indices in brackets, names after a dot; quoted if they are no plain words. */
export function joinPath(path: string, name: string | number): string {
  const text = String(name);
  if (/^\d{1,9}$/.test(text)) return `${path}[${text}]`;
  if (text.length > LONGEST_NAME || !/^[^\s\p{C}.:;[\]"]+$/u.test(text))
    return `${path}[${show(text)}]`;
  return path === '' ? text : `${path}.${text}`;
}

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

function knownFields(schema: ErrorObject['parentSchema']): string {
  const { properties = {}, patternProperties = {}, description } = schema ?? {};
  const patterns = Object.keys(patternProperties);
  const names = [
    ...Object.keys(properties),
    ...(patterns.length > 0 && description !== undefined ? [description] : patterns),
  ];
  return names.length === 0 ? 'there are no fields' : `known are ${names.join(', ')}`;
}

/** Texts bare, as long as nothing else is allowed beside them. */
function allowedTexts(values: readonly unknown[]): string {
  const isMixed = values.some((value) => typeof value !== 'string');
  return values.map((value) => (isMixed ? JSON.stringify(value) : value)).join(', ');
}

function messageOf(error: ErrorObject): string {
  // These are about a part of a value: to look through all of it for each one takes for ever.
  if (error.keyword === 'required') return 'is required';
  if (error.keyword === 'additionalProperties') {
    return `is not known here; ${knownFields(error.parentSchema)}`;
  }
  const names = namesIn(error.instancePath);
  const given =
    isSecretPath(names) || isMisplaced(names.at(-1) ?? '', error.data)
      ? 'the given value'
      : show(error.data);
  const limit = error.params.limit;
  switch (error.keyword) {
    case 'type': {
      const types = [error.params.type].flat().map((name: string) => TYPE_NAMES[name] ?? name);
      return `${given} is not ${types.join(' or ')}`;
    }
    case 'enum':
      return `${given} is not one of ${allowedTexts(error.params.allowedValues)}`;
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
    case 'uniqueItems': {
      const { i, j } = error.params;
      return `entries ${Math.min(i, j)} and ${Math.max(i, j)} are equal`;
    }
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
