/** The fields of a request that are in its query string. Pure. */
import { invalid, type Violation } from '../../shared/errors.js';
import type { TSchema } from '../api/schema.js';
import { show } from '../api/validate.js';

/**
 * @param query As it was parsed: a key that is there twice has a list.
 * @param schema Says which fields there are, and which of them are numbers or booleans; a text that
 * is neither stays what it is, and the schema has its say on it.
 * @throws INVALID naming every key that is no field, or is there twice.
 */
export function queryFields(
  query: Readonly<Record<string, string | string[] | undefined>>,
  schema: TSchema,
): Record<string, unknown> {
  const properties = new Map(Object.entries((schema.properties ?? {}) as Record<string, TSchema>));
  const fields: Record<string, unknown> = {};
  const problems: Violation[] = [];
  for (const [field, value] of Object.entries(query)) {
    const property = properties.get(field);
    if (property === undefined) {
      const known = [...properties.keys()].join(', ');
      const message =
        known === ''
          ? 'is not known here; the query string of this request has no fields'
          : `is not one of the fields ${known}`;
      problems.push({ field, message });
    } else if (typeof value !== 'string') {
      problems.push({ field, message: 'is given more than once' });
    } else fields[field] = typed(value, property.type);
  }
  if (problems.length > 0) throw invalid(problems);
  return fields;
}

function typed(text: string, type: unknown): unknown {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (type !== 'integer' && type !== 'number') return text;
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/**
 * The body with fields of the path or the query.
 * @param where Where they are, for messages: path or query
 * @throws INVALID if the body says something else of them.
 */
export function withFields(
  body: unknown,
  fields: Readonly<Record<string, unknown>>,
  where: string,
): unknown {
  const all = Object.entries(fields);
  // The schema has its say on what is no object.
  if (all.length === 0 || typeof body !== 'object' || body === null || Array.isArray(body)) {
    return body;
  }
  const given = body as Record<string, unknown>;
  const problems = all
    .filter(([field, value]) => given[field] !== undefined && given[field] !== value)
    .map(([field, value]) => ({
      field,
      message: `${show(given[field])} is not the ${show(value)} of the ${where}`,
    }));
  if (problems.length > 0) throw invalid(problems);
  return { ...given, ...fields };
}
