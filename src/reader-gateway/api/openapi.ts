/** The OpenAPI 3.1 document of the reader, made from the same schemas that check its requests. */

import { CableLoss, CableLosses, SetCableLosses } from './cable-loss.js';
import { ReaderCapabilities } from './capabilities.js';
import {
  CertificateList,
  CertificateSigningRequest,
  CreateCertificateRequest,
  DeleteCertificate,
  InstallCertificate,
  RefreshCertificate,
} from './certificates.js';
import { closed } from './closed.js';
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
import { HostName } from './host-name.js';
import { Login } from './login.js';
import { LogConfig } from './logs.js';
import { ManagementEventConfig } from './management-events.js';
import { GetMode, OperatingMode } from './mode.js';
import { NameAndDescription } from './name-and-description.js';
import { GetNetwork, Network, SetNetwork } from './network.js';
import { OsUpdate, UpgradeStatus } from './os-update.js';
import { OverflowEvent } from './overflow-event.js';
import { RebootAnswer } from './reboot.js';
import {
  GetStandards,
  Regulatory,
  SetRegulatory,
  SupportedRegions,
  SupportedStandards,
} from './region.js';
import type { TSchema } from './schema.js';
import { Start } from './start.js';
import { Status } from './status.js';
import { TagEvent } from './tag-event.js';
import { NtpServer, TimeZone } from './time.js';
import {
  UserAppAutostart,
  UserAppCommand,
  UserAppInstall,
  UserAppName,
  UserAppResponse,
  UserApps,
} from './user-apps.js';
import { Version } from './version.js';

/** Every resource by its name in the document. */
export const RESOURCES: Readonly<Record<string, TSchema>> = {
  Batching,
  CableLoss,
  CableLosses,
  CertificateList,
  CertificateSigningRequest,
  CommandConnection,
  ConnectionTest,
  CreateCertificateRequest,
  DataConnection,
  DeleteCertificate,
  Error: ErrorBody,
  GetMode,
  GetNetwork,
  GetStandards,
  GpioLed,
  HostName,
  HttpPostOptions,
  LogConfig,
  InstallCertificate,
  Login,
  ManagementEventConfig,
  MqttOptions,
  NameAndDescription,
  Network,
  NoPayload,
  NtpServer,
  ExplainedMode,
  OperatingMode,
  OverflowEvent,
  OsUpdate,
  ReaderCapabilities,
  ReaderConfiguration: ReaderConfig,
  RebootAnswer,
  Regulatory,
  RefreshCertificate,
  Retention,
  SetCableLosses,
  SetNetwork,
  SetRegulatory,
  Start,
  Statistics: Status,
  SupportedRegions,
  SupportedStandards,
  TagEvent,
  TcpServerOptions,
  TimeZone,
  UserAppAutostart,
  UserAppCommand,
  UserAppInstall,
  UserAppName,
  UserAppResponse,
  UserApps,
  UpgradeStatus,
  Version,
  WebSocketOptions,
};

/** The part of an operation that the document shows. */
export interface DocumentedOperation {
  name: string;
  summary: string;
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  path: string;
  mqttCommand: string;
  channel: string;
  requestSchema: TSchema;
  responseSchema: TSchema | undefined;
  acceptedSchema?: TSchema;
  unprocessable?: boolean;
  fileTypes?: readonly string[];
  moreErrors?: readonly number[];
}

const ERROR_TEXTS: Readonly<Record<string, string>> = {
  400: 'Wrong request, or not possible in the present state',
  401: 'Missing or bad credentials',
  404: 'There is nothing of this name',
  413: 'The body is too large',
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

/** A text is sent as it is. */
function content(schema: TSchema): object {
  return schema.type === 'string' ? { 'text/plain': { schema: reference(schema) } } : json(schema);
}

/** What a client may send is what is checked: nothing that the schema does not name. */
function schemas(operations: readonly DocumentedOperation[]): Record<string, TSchema> {
  const requests = new Set(operations.map(({ requestSchema }) => requestSchema));
  return Object.fromEntries(
    Object.entries(RESOURCES).map(([name, schema]) => [
      name,
      requests.has(schema) ? closed(schema) : schema,
    ]),
  );
}

function errors(...statuses: number[]): object {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      { description: ERROR_TEXTS[status] ?? 'Error', content: json(ErrorBody) },
    ]),
  );
}

/** @param sharing Operations of one method and path; the answers are those of the first. */
function documentOperation(
  first: DocumentedOperation,
  sharing: readonly DocumentedOperation[],
): object {
  const { name, channel, path, responseSchema, acceptedSchema, fileTypes, unprocessable } = first;
  const commands = sharing.map(({ mqttCommand }) => mqttCommand).join(' or ');
  const requests = sharing.map(({ requestSchema }) => requestSchema);
  const more = new Set(sharing.flatMap(({ moreErrors = [] }) => moreErrors));
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter as string);
  const fields: Record<string, TSchema> = first.requestSchema.properties ?? {};
  const parameters = inPath.map((parameter) => ({
    name: parameter,
    in: 'path',
    required: true,
    schema: fields[parameter],
  }));
  return {
    operationId: name,
    summary: sharing.map(({ summary }) => summary).join('; or: '),
    description: `The same over MQTT: the command ${commands}.`,
    tags: [channel],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBody(requests, inPath),
    responses: {
      ...(responseSchema === undefined && acceptedSchema !== undefined
        ? {}
        : { 200: success(responseSchema, fileTypes) }),
      ...(acceptedSchema === undefined
        ? {}
        : { 202: { description: 'Under way', content: content(acceptedSchema) } }),
      ...errors(400, 401, 413, ...more, 500),
      ...(unprocessable ? { 422: { description: 'Wrong value; no content' } } : {}),
    },
  };
}

function success(schema: TSchema | undefined, fileTypes: readonly string[] | undefined): object {
  if (fileTypes !== undefined) {
    const file = { schema: { type: 'string', format: 'binary' } };
    const content = Object.fromEntries(fileTypes.map((type) => [type, file]));
    return { description: 'A file; over MQTT as base64, see docs/logs.md', content };
  }
  if (schema === undefined) return { description: 'Done; no content' };
  return { description: 'Success', content: content(schema) };
}

/** What the path says does not have to be in the body as well. */
function requestBody(requests: readonly TSchema[], inPath: readonly string[]): object {
  const bodies = requests.map((schema) => withoutFields(schema, inPath));
  const some = bodies.filter((body) => body !== undefined);
  if (some.length === 0) return {};
  const schema = some.length === 1 ? some[0] : { anyOf: some };
  return { requestBody: { required: false, content: { 'application/json': { schema } } } };
}

/** @returns undefined if nothing is left. */
function withoutFields(schema: TSchema, fields: readonly string[]): object | undefined {
  const { properties = {}, required = [], additionalProperties } = closed(schema);
  if (schema === NoPayload) return undefined;
  if (fields.length === 0) return reference(schema);
  const rest = Object.entries(properties as Record<string, TSchema>).filter(
    ([name]) => !fields.includes(name),
  );
  if (rest.length === 0) return undefined;
  return {
    type: 'object',
    properties: Object.fromEntries(rest),
    required: (required as string[]).filter((name) => !fields.includes(name)),
    additionalProperties,
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
    '/cloud/metrics': {
      get: {
        operationId: 'getMetrics',
        summary: 'Counters in the text format of Prometheus',
        tags: ['management'],
        responses: {
          200: {
            description: 'Success',
            content: { 'text/plain': { schema: { type: 'string' } } },
          },
          ...errors(401),
        },
      },
    },
  };
  for (const operation of operations) {
    const { method, path } = operation;
    const key = method.toLowerCase();
    if (paths[path]?.[key] !== undefined) continue;
    const sharing = operations.filter((one) => one.method === method && one.path === path);
    paths[path] = { ...paths[path], [key]: documentOperation(operation, sharing) };
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
      schemas: schemas(operations),
    },
  };
}
