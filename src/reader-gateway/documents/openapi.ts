/** The OpenAPI 3.1 document of the reader, made from the same schemas that check its requests. */
import { byMethodAndPath } from '../operations/by-method-and-path.js';
import type { Operation } from '../operations/operation.js';
import { errorComponents } from './error-responses.js';
import { DATA_EVENTS, eventOrBatch } from './events.js';
import { examplesFor } from './examples.js';
import { limitsOf } from './limits.js';
import { documentOperation } from './openapi-operation.js';
import { FIXED_PATHS } from './openapi-paths.js';
import type { ReaderFacts } from './reader-facts.js';
import { schemaTable, usedSchemas } from './schema-table.js';

export interface DocumentBasis {
  operations: readonly Operation[];
  /** Of the software. */
  version: string;
  /** undefined: not known yet; the document then says what holds for every reader. */
  facts: ReaderFacts | undefined;
}

export function openApiDocument({ operations, version, facts }: DocumentBasis): object {
  const changes = limitsOf(facts);
  const paths: Record<string, Record<string, object>> = { ...FIXED_PATHS };
  for (const sharing of byMethodAndPath(operations)) {
    const [first] = sharing;
    const { method, path } = first;
    const described = documentOperation(first, sharing, changes);
    paths[path] = { ...paths[path], [method.toLowerCase()]: described };
  }
  const webhooks = { tagEvents: { post: eventsPost() } };
  const responses = errorComponents(paths);
  const schemas = schemaTable(
    changes,
    examplesFor(facts),
    operations.map(({ requestSchema }) => requestSchema),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Singulate reader',
      version,
      description:
        `Management and tag data interface of the reader.${modelText(facts)} ` +
        'Every body is JSON whatever its Content-Type, also that of a GET or DELETE; ' +
        'no body is the same as {}. A field that is not described is refused; in an operating mode ' +
        'it has no effect.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The reader that serves this document' }],
    security: [{ bearer: [] }],
    tags: [
      { name: 'control', description: 'Reading tags' },
      { name: 'documents', description: 'These documents' },
      { name: 'events', description: 'Tag data events' },
      { name: 'login', description: 'Credentials for a token' },
      { name: 'management', description: 'The reader itself' },
    ],
    paths,
    webhooks,
    components: {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic' },
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        accessToken: { type: 'apiKey', in: 'query', name: 'access_token' },
      },
      responses,
      schemas: usedSchemas(schemas, [paths, webhooks, responses]),
    },
  };
}

export function modelText(facts: ReaderFacts | undefined): string {
  return facts === undefined ? '' : ` Limits are those of this reader: ${facts.model.description}.`;
}

/** What connections of type httpPost send. */
function eventsPost(): object {
  return {
    operationId: 'postEvents',
    summary: 'Events, sent to the URL of a connection of type httpPost',
    description: 'One event, or with batching an array of them. Any 2xx status is a receipt.',
    tags: ['events'],
    security: [],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: eventOrBatch(DATA_EVENTS) } },
    },
    responses: { '2XX': { description: 'Received' } },
  };
}
