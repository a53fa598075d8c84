/** Values that fit a request schema, made of the schema alone. */
import fc from 'fast-check';
import type { TSchema } from '../../src/reader-gateway/api/schema.js';

type Schema = Partial<TSchema> & Record<string, unknown>;

const LONGEST_LIST = 4;
const LONGEST_TEXT = 40;
const LARGEST = 4_294_967_295;

/** fc.string() of each field costs a second to make. */
const character = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
  },
  { weight: 1, arbitrary: fc.constantFrom('\n', '\t', 'é', 'ß', '中', '\u2028', '😀', '\u0301') },
);

/** Of any field that takes anything. */
export const anything = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>;

export function fitting(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const types: string[] = [schema.type ?? []].flat();
  if (types.length === 0) return anything;
  return fc.oneof(...types.map((type) => ofType(type, schema)));
}

function ofType(type: string, schema: Schema): fc.Arbitrary<unknown> {
  switch (type) {
    case 'boolean':
      return fc.boolean();
    case 'integer': {
      const { min, max } = limits(schema);
      return fc.integer({ min: Math.ceil(min), max: Math.floor(max) });
    }
    case 'number': {
      const { min, max } = limits(schema);
      return fc.double({ min, max, noNaN: true });
    }
    case 'string':
      return text(schema);
    case 'array': {
      const { minItems = 0, maxItems = LONGEST_LIST, items = {} } = schema;
      const maxLength = Math.max(minItems, Math.min(maxItems, LONGEST_LIST));
      const list = schema.uniqueItems === true ? fc.uniqueArray : fc.array;
      return list(fitting(items as Schema), { minLength: minItems, maxLength });
    }
    case 'object':
      return object(schema);
    default:
      return fc.constant(null);
  }
}

function limits({ minimum, exclusiveMinimum, maximum }: Schema): { min: number; max: number } {
  const min = minimum ?? (exclusiveMinimum === undefined ? -1000 : exclusiveMinimum + 0.001);
  return { min, max: Math.max(min, Math.min(maximum ?? 100_000, LARGEST)) };
}

const matchingTexts = new Map<string, fc.Arbitrary<string>>();

/** Made once: it costs as much as thousands of texts. */
function matching(pattern: string): fc.Arbitrary<string> {
  const made = matchingTexts.get(pattern) ?? makeMatching(pattern);
  matchingTexts.set(pattern, made);
  return made;
}

function makeMatching(pattern: string): fc.Arbitrary<string> {
  const exact = new RegExp(pattern);
  const roughly = new RegExp(pattern.replaceAll(/\(\?[=!][^)]*\)/g, ''));
  return fc.stringMatching(roughly, { size: 'small' }).filter((found) => exact.test(found));
}

function text({ pattern, minLength = 0, maxLength = LONGEST_TEXT }: Schema) {
  if (pattern !== undefined) return matching(pattern);
  const most = Math.max(minLength, Math.min(maxLength, LONGEST_TEXT));
  return fc.array(character, { minLength, maxLength: most }).map((all) => all.join(''));
}

interface Branch {
  if: { properties: Record<string, { const: string }> };
  then: Schema;
}

function object(schema: Schema): fc.Arbitrary<unknown> {
  const { allOf } = schema as { allOf?: Branch[] };
  if (allOf === undefined) return plainObject(schema);
  const forms = allOf.map(({ if: condition, then }) =>
    plainObject({
      ...schema,
      properties: { ...schema.properties, ...then.properties, ...condition.properties },
      required: [...(schema.required ?? []), ...(then.required ?? [])],
    }),
  );
  return fc.oneof(...forms);
}

function plainObject(schema: Schema): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties, patternProperties } = schema;
  const record = fc.record(
    Object.fromEntries(
      Object.entries(properties as Record<string, Schema>).map(([name, part]) => [
        name,
        fitting(part),
      ]),
    ),
    { requiredKeys: required as string[] },
  );
  const others = Object.entries((patternProperties ?? {}) as Record<string, Schema>);
  if (typeof additionalProperties === 'object') {
    others.push(['^[1-8]$', additionalProperties as Schema]);
  }
  if (others.length === 0) return record;
  const dictionaries = others.map(([pattern, part]) =>
    fc.dictionary(
      matching(pattern).filter((key) => key !== '__proto__'),
      fitting(part),
      { maxKeys: 3, noNullPrototype: true },
    ),
  );
  return fc.tuple(record, ...dictionaries).map((parts) => Object.assign({}, ...parts));
}
