/** An operation in the OpenAPI document. */
import { closed } from '../api/closed.js';
import { NoPayload } from '../api/empty.js';
import { UNPROCESSABLE } from '../api/errors.js';
import { type TSchema, Type } from '../api/schema.js';
import { type Operation, takesQuery } from '../operations/operation.js';
import { errorReferences } from './error-responses.js';
import { adaptSchema, reference, type SchemaChanges } from './schema-table.js';

/** @param sharing Operations of one method and path; the answers are those of the first. */
export function documentOperation(
  first: Operation,
  sharing: readonly Operation[],
  changes: SchemaChanges,
): object {
  const { name, channel, path, responseSchema, acceptedSchema, fileTypes, unprocessable } = first;
  const commands = sharing.map(({ mqttCommand }) => mqttCommand).join(' or ');
  const requests = sharing.map(({ requestSchema }) => requestSchema);
  const more = sharing.flatMap(({ moreErrors = [] }) => moreErrors);
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter as string);
  const fields: Record<string, TSchema> = first.requestSchema.properties ?? {};
  const parameters = [
    ...inPath.map((name) => ({
      ...parameter(name, fields[name], changes),
      in: 'path',
      required: true,
    })),
    // Not required there: all of them may be in the body.
    ...(takesQuery(first) ? Object.keys(fields) : [])
      .filter((name) => !inPath.includes(name))
      .map((name) => ({ ...parameter(name, fields[name], changes), in: 'query' })),
  ];
  const body = requestBody(requests, inPath, takesQuery(first), changes);
  return {
    operationId: name,
    summary: sharing.map(({ summary }) => summary).join('; or: '),
    description: `The same over MQTT: the command ${commands}.`,
    tags: [channel],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: {
      ...(responseSchema === undefined && acceptedSchema !== undefined
        ? {}
        : { 200: success(responseSchema, fileTypes) }),
      ...(acceptedSchema === undefined
        ? {}
        : { 202: { description: 'Under way', content: content(acceptedSchema) } }),
      // A body is read, and may be too large, also where none is needed.
      ...errorReferences(400, 401, 413, ...(unprocessable ? [UNPROCESSABLE] : []), ...more, 500),
    },
  };
}

function parameter(name: string, field: TSchema = Type.String(), changes: SchemaChanges): object {
  const { description, ...schema } = adaptSchema(field, changes) as TSchema;
  return { name, description: (description as string | undefined) ?? `The ${name}`, schema };
}

/** A text is sent as it is. */
export function content(schema: TSchema): object {
  const type = schema.type === 'string' ? 'text/plain' : 'application/json';
  return { [type]: { schema: reference(schema) } };
}

function success(schema: TSchema | undefined, fileTypes: readonly string[] | undefined): object {
  if (fileTypes !== undefined) {
    const file = { schema: { type: 'string', format: 'binary' } };
    const types = Object.fromEntries(fileTypes.map((type) => [type, file]));
    return { description: 'A file; over MQTT as base64, see docs/logs.md', content: types };
  }
  if (schema === undefined) return { description: 'Done; no content' };
  return { description: 'Success', content: content(schema) };
}

/**
 * What the path says does not have to be in the body as well.
 * @param mayBeInQuery All of it may be in the query string instead.
 * @returns undefined if nothing is left.
 */
function requestBody(
  requests: readonly TSchema[],
  inPath: readonly string[],
  mayBeInQuery: boolean,
  changes: SchemaChanges,
): object | undefined {
  const bodies = requests.map((schema) => withoutFields(schema, inPath, changes));
  const some = bodies.filter((body) => body !== undefined);
  if (some.length === 0) return undefined;
  const schema = some.length === 1 ? some[0] : { anyOf: some };
  const isNeeded = requests.every(({ required = [] }) =>
    (required as string[]).some((name) => !inPath.includes(name)),
  );
  const required = isNeeded && !mayBeInQuery;
  return { required, content: { 'application/json': { schema } } };
}

function withoutFields(
  schema: TSchema,
  fields: readonly string[],
  changes: SchemaChanges,
): object | undefined {
  const { properties = {}, required = [], additionalProperties } = schema;
  if (schema === NoPayload) return undefined;
  if (fields.length === 0) return reference(schema);
  const rest = Object.entries(properties as Record<string, TSchema>).filter(
    ([name]) => !fields.includes(name),
  );
  if (rest.length === 0) return undefined;
  const body = {
    type: 'object',
    properties: Object.fromEntries(rest),
    required: (required as string[]).filter((name) => !fields.includes(name)),
    ...(additionalProperties === undefined ? {} : { additionalProperties }),
  };
  return closed(adaptSchema(body, changes) as TSchema);
}
