/** Checks JSON that people write (scenarios, recording headers): every fault with its field. */
import type { TSchema } from '@sinclair/typebox';
import { Ajv, type ErrorObject } from 'ajv';
import type { Violation } from '../../shared/errors.js';

/** @returns every fault; none if the value fits the schema. */
export function findFaults(schema: TSchema, value: unknown): Violation[] {
  const validate = new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true }).compile(
    schema,
  );
  if (validate(value)) return [];
  const errors = validate.errors ?? [];
  // One object may hold many unknown fields: the known ones are listed once.
  const told = new Set<string>();
  return errors.map((error) => {
    const isUnknown = error.keyword === 'additionalProperties';
    const repeated = isUnknown && told.has(error.instancePath);
    if (isUnknown) told.add(error.instancePath);
    return repeated ? { ...toViolation(error), message: 'is not known' } : toViolation(error);
  });
}

/** All faults of a file as the one line that a user sees. */
export function faultsLine(what: string, file: string, faults: readonly Violation[]): string {
  const texts = faults.map(({ field, message }) => (field ? `${field}: ${message}` : message));
  return `${what} ${file}: ${texts.join('; ')}`;
}

/** A given value in a message: short whatever was given. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}

/** `/antennas/1/port` as `antennas[1].port`. */
function fieldPath(pointer: string, property?: string): string {
  const names = pointer.split('/').slice(1);
  if (property !== undefined) names.push(property);
  return names
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, name) => {
      if (/^\d+$/.test(name)) return `${path}[${name}]`;
      return path === '' ? name : `${path}.${name}`;
    }, '');
}

const TYPES: Record<string, string> = {
  integer: 'an integer',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

function toViolation(error: ErrorObject): Violation {
  const property = error.params.missingProperty ?? error.params.additionalProperty;
  const field = fieldPath(error.instancePath, property);
  if (error.keyword === 'required') return { field, message: 'is missing' };
  if (error.keyword === 'additionalProperties') {
    const known = Object.keys(error.parentSchema?.properties ?? {});
    return { field, message: `is not known; allowed: ${known.join(', ')}` };
  }
  return { field, message: `${show(error.data)} given; allowed: ${allowed(error)}` };
}

function allowed({ keyword, params, parentSchema, message }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      return [params.type]
        .flat()
        .map((name: string) => TYPES[name] ?? name)
        .join(' or ');
    case 'enum':
      return params.allowedValues.join(', ');
    case 'minimum':
    case 'exclusiveMinimum':
    case 'maximum':
      return range(parentSchema as Range);
    case 'minItems':
    case 'maxItems':
      return entries(parentSchema as { minItems?: number; maxItems?: number });
    case 'minLength':
      return 'a text that is not empty';
    default:
      return message ?? 'something else';
  }
}

interface Range {
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
}

function range({ minimum, exclusiveMinimum, maximum }: Range): string {
  if (minimum !== undefined && maximum !== undefined) return `${minimum}..${maximum}`;
  const parts = [];
  if (minimum !== undefined) parts.push(`at least ${minimum}`);
  if (exclusiveMinimum !== undefined) parts.push(`above ${exclusiveMinimum}`);
  if (maximum !== undefined) parts.push(`at most ${maximum}`);
  return parts.join(', ');
}

function entries({ minItems = 0, maxItems }: { minItems?: number; maxItems?: number }): string {
  if (minItems === maxItems) return `exactly ${minItems} entries`;
  return maxItems === undefined
    ? `at least ${minItems} entries`
    : `${minItems}..${maxItems} entries`;
}
