/** The messages of the AsyncAPI document. */
import { NoPayload } from '../api/empty.js';
import { ErrorBody } from '../api/errors.js';
import type { TSchema } from '../api/schema.js';
import { StreamClosed } from '../api/stream-closed.js';
import { Command, FAILURE, SUCCESS } from '../mqtt/envelope.js';
import { FilePayload } from '../mqtt/file-payload.js';
import type { Operation } from '../operations/operation.js';
import type { Events } from './events.js';
import type { Examples } from './examples.js';
import { nameOf, reference } from './schema-table.js';

export const FAILED_COMMAND = 'failure';
export const STREAM_CLOSED = 'streamClosed';
export const responseName = ({ mqttCommand }: Operation) => `${mqttCommand}.response`;

const NOTHING = { type: 'object' };
const contentType = 'application/json';
const correlationId = { $ref: '#/components/correlationIds/commandId' };
const COMMAND_ID = '17';

export function asyncMessages(
  operations: readonly Operation[],
  events: Events,
  examples: Examples,
): object {
  return {
    ...Object.fromEntries(
      operations.flatMap((operation) => [
        [operation.mqttCommand, requestMessage(operation, examples)],
        [responseName(operation), responseMessage(operation, examples)],
      ]),
    ),
    [FAILED_COMMAND]: {
      title: 'A command that failed',
      contentType,
      correlationId,
      payload: responseEnvelope({ type: 'string' }, FAILURE, reference(ErrorBody)),
    },
    ...Object.fromEntries(
      Object.entries({ ...events, [STREAM_CLOSED]: StreamClosed }).map(([name, schema]) => [
        name,
        {
          title: schema.description,
          contentType,
          payload: reference(schema),
          ...withExample(exampleOf(schema, examples)),
        },
      ]),
    ),
  };
}

function requestMessage(operation: Operation, examples: Examples): object {
  const { mqttCommand, summary, requestSchema } = operation;
  const isEmpty = requestSchema === NoPayload;
  const payload = isEmpty ? NOTHING : reference(requestSchema);
  const needsPayload = ((requestSchema.required ?? []) as string[]).length > 0;
  const example = isEmpty ? {} : exampleOf(requestSchema, examples);
  const envelope = { command: mqttCommand, command_id: COMMAND_ID };
  return {
    title: summary,
    description: 'The fields of the payload may also stand beside command, without payload.',
    contentType,
    correlationId,
    payload: {
      type: 'object',
      properties: { ...Command.properties, command: { const: mqttCommand }, payload },
      required: ['command', ...(needsPayload ? ['payload'] : [])],
    },
    ...withExample(example === undefined ? undefined : { ...envelope, payload: example }),
  };
}

function responseMessage(operation: Operation, examples: Examples): object {
  const { responseSchema, acceptedSchema, fileTypes, mqttCommand: command, summary } = operation;
  const bodies = [responseSchema, acceptedSchema].filter((schema) => schema !== undefined);
  const [first, second] = bodies;
  const payload =
    fileTypes !== undefined
      ? FilePayload
      : second !== undefined
        ? { anyOf: bodies.map(reference) }
        : first === undefined
          ? NOTHING
          : reference(first);
  const example = first === undefined ? {} : exampleOf(first, examples);
  const envelope = { command, command_id: COMMAND_ID, response: SUCCESS };
  return {
    title: `Response: ${summary}`,
    contentType,
    correlationId,
    payload: responseEnvelope({ const: command }, SUCCESS, payload),
    ...(fileTypes !== undefined || example === undefined
      ? {}
      : withExample({ ...envelope, payload: example })),
  };
}

function responseEnvelope(command: object, response: string, payload: object): object {
  return {
    type: 'object',
    properties: { command, command_id: {}, response: { const: response }, payload },
    required: ['command', 'command_id', 'response', 'payload'],
  };
}

function exampleOf(schema: TSchema, examples: Examples): unknown {
  return examples[nameOf(schema) ?? '']?.[0];
}

function withExample(payload: unknown): object {
  return payload === undefined ? {} : { examples: [{ payload }] };
}
