/**
 * Requests are closed: a field that the schema does not name is refused, because nothing is taken
 * and then ignored. What is stored is not: an older version may find a file of a newer one.
 */
import type { TSchema } from './schema.js';

type Schema = Record<string, unknown>;

/** Objects that say `additionalProperties` themselves, or name no fields at all, stay as they are. */
export function closed(schema: TSchema): TSchema {
  return closedPart(schema) as TSchema;
}

function closedPart(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const { properties, patternProperties, items, allOf, additionalProperties, ...rest } =
    schema as Schema;
  const part: Schema = { ...rest };
  if (properties !== undefined) part.properties = closedEach(properties as Schema);
  if (patternProperties !== undefined) {
    part.patternProperties = closedEach(patternProperties as Schema);
  }
  if (items !== undefined) part.items = closedPart(items);
  if (additionalProperties !== undefined) {
    part.additionalProperties = closedPart(additionalProperties);
  }
  if (Array.isArray(allOf)) return { ...part, ...closedBranches(part, allOf as Branch[]) };
  const isObject = [schema as Schema].flatMap(({ type }) => type).includes('object');
  const namesFields = properties !== undefined || patternProperties !== undefined;
  if (isObject && namesFields && additionalProperties === undefined) {
    part.additionalProperties = false;
  }
  return part;
}

function closedEach(schemas: Schema): Schema {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, part]) => [name, closedPart(part)]),
  );
}

/** As when() makes it. */
interface Branch {
  if: { properties: Record<string, { const: string }> };
  then: { properties?: Record<string, unknown> };
}

/**
 * Of an object whose fields depend on one of them: each branch names its own. The object itself
 * names those of all branches, for a value that is in none of them.
 */
function closedBranches(base: Schema, branches: readonly Branch[]): Schema {
  const own = (base.properties ?? {}) as Schema;
  const named = (...fields: readonly object[]) =>
    Object.fromEntries(fields.flatMap(Object.keys).map((name) => [name, true]));
  const ofAll = named(...branches.map(({ then }) => then.properties ?? {}));
  return {
    properties: { ...ofAll, ...own },
    additionalProperties: false,
    allOf: branches.map(({ if: condition, then }) => {
      const fields = closedEach(then.properties ?? {});
      return {
        if: condition,
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: {
          ...then,
          properties: { ...named(own), ...fields },
          additionalProperties: false,
        },
      };
    }),
  };
}
