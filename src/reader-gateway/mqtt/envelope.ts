/** MQTT commands and responses (interface: MQTT wrapping). */
import type { ErrorBody } from '../api/errors.js';
import { type Static, Type } from '../api/schema.js';

export const Command = Type.Object({
  command: Type.String({ minLength: 1 }),
  /** Opaque; comes back unchanged. */
  command_id: Type.Optional(Type.Unknown()),
  payload: Type.Optional(Type.Object({})),
});
export type Command = Static<typeof Command>;

/** What `response` says. */
export const SUCCESS = 'success';
export const FAILURE = 'failure';

/** Fields beside a payload, which nobody would look at. */
export function strayFields({ command: _command, command_id: _id, payload, ...rest }: Command) {
  return payload === undefined ? [] : Object.keys(rest);
}

/** The request of a command: its payload, or the fields beside the command of a flat message. */
export function requestOf(message: Command): unknown {
  if (message.payload !== undefined) return message.payload;
  const { command: _command, command_id: _id, ...fields } = message as Record<string, unknown>;
  return fields;
}

export function successResponse(command: string, id: unknown, body: unknown): string {
  const payload = body ?? {};
  return JSON.stringify({ command, command_id: id ?? '', response: SUCCESS, payload });
}

export function failureResponse(command: string, id: unknown, error: ErrorBody): string {
  return JSON.stringify({ command, command_id: id ?? '', response: FAILURE, payload: error });
}
