/** The OpenAPI 3.1 document of the reader, made from the same schemas that check its requests. */

import { ReaderCapabilities } from './capabilities.js';
import { ReaderConfig } from './config.js';
import {
  Batching,
  CommandConnection,
  DataConnection,
  HttpPostOptions,
  MqttOptions,
  Retention,
  TcpServerOptions,
  WebSocketOptions,
} from './connection.js';
import { ConnectionTest } from './connection-test.js';
import { NoPayload } from './empty.js';
import { ErrorBody } from './errors.js';
import { ExplainedMode } from './explain.js';
import { GpioLed } from './gpio-led.js';
import { Login } from './login.js';
import { ManagementEventConfig } from './management-events.js';
import { GetMode, OperatingMode } from './mode.js';
import { OsUpdate, UpgradeStatus } from './os-update.js';
import type { TSchema } from './schema.js';
import { Start } from './start.js';
import { Status } from './status.js';
import { TagEvent } from './tag-event.js';
import { Version } from './version.js';

/** Every resource by its name in the document. */
export const RESOURCES: Readonly<Record<string, TSchema>> = {
  Batching,
  CommandConnection,
  ConnectionTest,
  DataConnection,
  Error: ErrorBody,
  GetMode,
  GpioLed,
  HttpPostOptions,
  Login,
  ManagementEventConfig,
  MqttOptions,
  NoPayload,
  ExplainedMode,
  OperatingMode,
  OsUpdate,
  ReaderCapabilities,
  ReaderConfiguration: ReaderConfig,
  Retention,
  Start,
  Statistics: Status,
  TagEvent,
  TcpServerOptions,
  UpgradeStatus,
  Version,
  WebSocketOptions,
};

/** The part of an operation that the document shows. */
export interface DocumentedOperation {
  name: string;
  summary: string;
  method: 'GET' | 'PUT' | 'POST';
  path: string;
  mqttCommand: string;
  channel: string;
  requestSchema: TSchema;
  responseSchema: TSchema | undefined;
  acceptedSchema?: TSchema;
  moreErrors?: readonly number[];
}

const ERROR_TEXTS: Readonly<Record<string, string>> = {
  400: 'Wrong request, or not possible in the present state',
  401: 'Missing or bad credentials',
  404: 'What is asked for does not exist',
  429: 'Too many at a time',
  500: 'The radio is away, or an internal error',
  503: 'All event streams are in use',
};

function reference(schema: TSchema): object {
  const found = Object.entries(RESOURCES).find(([, candidate]) => candidate === schema);
  if (found === undefined) throw new Error('a schema is not in the table of resources');
  return { $ref: `#/components/schemas/${found[0]}` };
}

function json(schema: TSchema): object {
  return { 'application/json': { schema: reference(schema) } };
}

function errors(...statuses: number[]): object {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      { description: ERROR_TEXTS[status] ?? 'Error', content: json(ErrorBody) },
    ]),
  );
}

function documentOperation(operation: DocumentedOperation): object {
  const { name, summary, channel, mqttCommand, requestSchema, responseSchema } = operation;
  const { acceptedSchema, moreErrors = [] } = operation;
  return {
    operationId: name,
    summary,
    description: `The same over MQTT: the command ${mqttCommand}.`,
    tags: [channel],
    ...(requestSchema === NoPayload
      ? {}
      : { requestBody: { required: false, content: json(requestSchema) } }),
    responses: {
      200:
        responseSchema === undefined
          ? { description: 'Done; no content' }
          : { description: 'Success', content: json(responseSchema) },
      ...(acceptedSchema === undefined
        ? {}
        : { 202: { description: 'Under way', content: json(acceptedSchema) } }),
      ...errors(400, 401, ...moreErrors, 500),
    },
  };
}

/** Events come for as long as the client stays. */
function documentEvents(): object {
  const number = { type: 'integer', minimum: 0 };
  const stream = { schema: { type: 'string' } };
  return {
    operationId: 'streamEvents',
    summary: 'Tag events as they come, one JSON object (TagEvent) on each line',
    description: 'Server-sent events if Accept asks for text/event-stream.',
    tags: ['events'],
    security: [{ bearer: [] }, { accessToken: [] }],
    parameters: [
      {
        name: 'after',
        in: 'query',
        schema: number,
        description: 'Go on behind the event of this number; otherwise only new events come',
      },
      {
        name: 'Last-Event-ID',
        in: 'header',
        schema: number,
        description: 'The same from an EventSource that connects again; wins over after',
      },
    ],
    responses: {
      200: {
        description: 'Ends with an event of type CLOSED that says why',
        content: { 'application/x-ndjson': stream, 'text/event-stream': stream },
      },
      ...errors(400, 401, 503),
    },
  };
}

export function openApiDocument(
  operations: readonly DocumentedOperation[],
  version: string,
): Record<string, unknown> {
  const paths: Record<string, Record<string, object>> = {
    '/cloud/localRestLogin': {
      get: {
        operationId: 'login',
        summary: 'A JWT for the other operations',
        tags: ['login'],
        security: [{ basic: [] }],
        responses: { 200: { description: 'Success', content: json(Login) }, ...errors(401, 429) },
      },
    },
    '/cloud/openapi.json': {
      get: {
        operationId: 'getOpenApi',
        summary: 'This document',
        tags: ['login'],
        security: [],
        responses: { 200: { description: 'OpenAPI 3.1' } },
      },
    },
    '/cloud/events': { get: documentEvents() },
  };
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: documentOperation(operation),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Singulate reader',
      version,
      description: 'Management and tag data interface of the reader.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: [{ name: 'login' }, { name: 'control' }, { name: 'management' }, { name: 'events' }],
    paths,
    components: {
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic' },
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        accessToken: { type: 'apiKey', in: 'query', name: 'access_token' },
      },
      schemas: RESOURCES,
    },
  };
}
