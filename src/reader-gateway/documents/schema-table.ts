/** The schemas of a document: references instead of repetitions, with the limits of the reader. */
import { closed } from '../api/closed.js';
import { RESOURCES } from '../api/resources.js';
import type { TSchema } from '../api/schema.js';
import type { Examples } from './examples.js';

/** Instead of a property that this reader does not have. */
export const ABSENT = Symbol('absent');

/** Keywords that a schema has on this reader, by the schema. */
export type SchemaChanges = ReadonlyMap<object, object | typeof ABSENT>;

/** By their texts: an optional property is a copy of its schema. */
const names = new Map<string, string>();
const descriptions = new Set<unknown>();
for (const [name, schema] of Object.entries(RESOURCES)) {
  names.set(JSON.stringify(schema), name);
  descriptions.add(schema.description);
}

/** @returns undefined if it is not in the table. */
export function nameOf(schema: object): string | undefined {
  if (!descriptions.has((schema as TSchema).description)) return undefined;
  return names.get(JSON.stringify(schema));
}

/** @throws Error for a schema that is not in the table of resources. */
export function reference(schema: TSchema): { $ref: string } {
  const name = nameOf(schema);
  if (name === undefined) throw new Error('a schema is not in the table of resources');
  return referenceTo(name);
}

function referenceTo(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/**
 * Every schema of the table by its name, as it holds on this reader.
 * @param requests Those that clients send: they, and what they are made of, name all their fields.
 */
export function schemaTable(
  changes: SchemaChanges,
  examples: Examples,
  requests: readonly TSchema[] = [],
): Record<string, object> {
  const adapted = Object.fromEntries(
    Object.entries(RESOURCES).map(([name, schema]) => [name, adaptSchema(schema, changes)]),
  );
  const sent = usedSchemas(adapted, requests.map(nameOf).filter(isName).map(referenceTo));
  return Object.fromEntries(
    Object.entries(adapted).map(([name, schema]) => {
      const own = examples[name] === undefined ? {} : { examples: examples[name] };
      return [name, { ...(name in sent ? closed(schema as TSchema) : schema), ...own }];
    }),
  );
}

function isName(name: string | undefined): name is string {
  return name !== undefined;
}

/** A copy of one schema of the table, or of a part of it, without its own reference. */
export function adaptSchema(schema: object, changes: SchemaChanges): object {
  const change = changes.get(schema);
  const entries = Object.entries({ ...schema, ...(change === ABSENT ? {} : change) });
  return Object.fromEntries(
    entries
      .filter(([, value]) => changes.get(value as object) !== ABSENT)
      .map(([key, value]) => [key, adaptValue(value, changes)]),
  );
}

function adaptValue(value: unknown, changes: SchemaChanges): unknown {
  if (Array.isArray(value)) return value.map((one) => adaptValue(one, changes));
  if (typeof value !== 'object' || value === null) return value;
  const name = nameOf(value);
  if (name !== undefined) return referenceTo(name);
  return adaptSchema(value, changes);
}

/** Leaves out the schemas that nothing in the document refers to. */
export function usedSchemas(
  schemas: Readonly<Record<string, object>>,
  document: unknown,
): Record<string, object> {
  const used = new Set<string>();
  const follow = (part: unknown) => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (name === undefined || used.has(name)) continue;
      used.add(name);
      follow(schemas[name] ?? {});
    }
  };
  follow(document);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)));
}
