/**
 * A schema whose equal parts stand in it once. ajv writes code for every part wherever it stands: a
 * configuration with its many alike connections would be megabytes of it.
 */
import type { TSchema } from './schema.js';

type Part = Record<string, unknown>;

/** A part of fewer characters is cheaper where it stands than as a function of its own. */
const SMALLEST = 200;

/** Of keywords: what they hold is a schema, a list of schemas, or schemas by name. */
const ONE = ['items', 'additionalProperties', 'if', 'then', 'else', 'not'];
const LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const NAMED = ['properties', 'patternProperties'];

export function shareParts(schema: TSchema): TSchema {
  const times = new Map<string, number>();
  const count = (part: Part): Part => {
    const text = JSON.stringify(part);
    if (text.length >= SMALLEST) times.set(text, (times.get(text) ?? 0) + 1);
    return eachPart(part, count);
  };
  eachPart(schema, count);
  const names = new Map<string, string>();
  const definitions: Part = {};
  const share = (part: Part): Part => {
    const text = JSON.stringify(part);
    if ((times.get(text) ?? 0) < 2) return eachPart(part, share);
    let name = names.get(text);
    if (name === undefined) {
      name = `part${names.size + 1}`;
      names.set(text, name);
      definitions[name] = eachPart(part, share);
    }
    return { $ref: `#/$defs/${name}` };
  };
  const shared = eachPart(schema, share);
  return (names.size === 0 ? schema : { ...shared, $defs: definitions }) as TSchema;
}

/** @returns A copy with every part directly in it replaced; `replace` goes deeper if it wants to. */
function eachPart(schema: Part, replace: (part: Part) => Part): Part {
  const copy: Part = { ...schema };
  const one = (part: unknown) => (isObject(part) ? replace(part) : part);
  for (const key of ONE) if (key in copy) copy[key] = one(copy[key]);
  for (const key of LIST) if (Array.isArray(copy[key])) copy[key] = copy[key].map(one);
  for (const key of NAMED) {
    const parts = copy[key];
    if (!isObject(parts)) continue;
    copy[key] = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, one(part)]));
  }
  return copy;
}

function isObject(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
