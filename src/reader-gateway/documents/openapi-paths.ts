/** What the reader answers beside the operations, in the OpenAPI document. */
import { Login } from '../api/login.js';
import { errorReferences } from './error-responses.js';
import { content } from './openapi-operation.js';

const text = (description: string, ...types: string[]) => ({
  description,
  content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])),
});

const document = (operationId: string, summary: string, description: string, what: string) => ({
  operationId,
  summary,
  description,
  tags: ['documents'],
  security: [],
  responses: {
    200: { description: what, content: { 'application/json': { schema: { type: 'object' } } } },
  },
});

const number = { type: 'integer', minimum: 0 };

export const FIXED_PATHS: Readonly<Record<string, { get: object }>> = {
  '/cloud/localRestLogin': {
    get: {
      operationId: 'login',
      summary: 'A JWT for the other operations',
      description: 'By HTTP only. The token is valid for 24 hours.',
      tags: ['login'],
      security: [{ basic: [] }],
      responses: {
        200: { description: 'Success', content: content(Login) },
        ...errorReferences(401, 429, 500),
      },
    },
  },
  '/cloud/openapi.json': {
    get: document(
      'getOpenApi',
      'This document',
      'With the limits of the reader that serves it.',
      'OpenAPI 3.1',
    ),
  },
  '/cloud/asyncapi.json': {
    get: {
      ...document(
        'getAsyncApi',
        'The MQTT commands, the events and the streams',
        'With a token also the brokers and topics that are configured.',
        'AsyncAPI 3.0',
      ),
      security: [{}, { bearer: [] }],
    },
  },
  '/cloud/docs': {
    get: {
      operationId: 'getDocs',
      summary: 'The documents as pages for a browser',
      description: 'This one; that of the events is /cloud/docs/events.',
      tags: ['documents'],
      security: [],
      responses: { 200: text('A page', 'text/html') },
    },
  },
  '/cloud/events': {
    get: {
      operationId: 'streamEvents',
      summary: 'Tag events as they come, one JSON object (TagEvent) on each line',
      description:
        'Server-sent events if Accept asks for text/event-stream. The AsyncAPI document describes ' +
        'the events, and the same stream on the WebSocket /ws.',
      tags: ['events'],
      security: [{ bearer: [] }, { accessToken: [] }],
      parameters: [
        {
          name: 'after',
          in: 'query',
          schema: number,
          description: 'Go on after the event of this number; otherwise only new events come',
        },
        {
          name: 'Last-Event-ID',
          in: 'header',
          schema: number,
          description: 'The same from an EventSource that connects again; wins over after',
        },
      ],
      responses: {
        200: text(
          'Ends with an event of type CLOSED that says why',
          'application/x-ndjson',
          'text/event-stream',
        ),
        ...errorReferences(400, 401, 503),
      },
    },
  },
  '/cloud/metrics': {
    get: {
      operationId: 'getMetrics',
      summary: 'Counters in the text format of Prometheus',
      description: 'docs/delivery.md explains the counters.',
      tags: ['management'],
      responses: { 200: text('Success', 'text/plain'), ...errorReferences(401, 500) },
    },
  },
};
