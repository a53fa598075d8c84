/** What an application says on its socket: one JSON object on each line. */

import { invalid } from '../../shared/errors.js';
import { jsonProblem } from '../../shared/json-problem.js';
import { type Static, TextEnum, Type } from '../api/schema.js';
import { assertValid, show } from '../api/validate.js';

const Subscribe = Type.Object({ type: Type.Literal('SUBSCRIBE') });
const Unsubscribe = Type.Object({ type: Type.Literal('UNSUBSCRIBE') });
const Event = Type.Object({
  type: Type.Literal('EVENT'),
  data: Type.Unsafe<unknown>({ description: 'Anything' }),
});
const Gpo = Type.Object({
  type: Type.Literal('GPO'),
  pin: Type.Integer({ minimum: 1, maximum: 4 }),
  state: TextEnum(['HIGH', 'LOW']),
});
const Response = Type.Object({
  type: Type.Optional(Type.Literal('RESPONSE')),
  id: Type.String(),
  /** A text, or anything else, which becomes JSON. */
  response: Type.Unsafe<unknown>({}),
});

const KINDS = {
  SUBSCRIBE: Subscribe,
  UNSUBSCRIBE: Unsubscribe,
  EVENT: Event,
  GPO: Gpo,
  RESPONSE: Response,
} as const;

export type AppMessage =
  | Static<typeof Subscribe>
  | Static<typeof Unsubscribe>
  | Static<typeof Event>
  | Static<typeof Gpo>
  | (Static<typeof Response> & { type: 'RESPONSE' });

/** @throws INVALID */
export function parseMessage(line: string): AppMessage {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw invalid([{ field: '', message: `is not JSON: ${jsonProblem(error)}` }]);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid([{ field: '', message: `${show(value)} is not an object` }]);
  }
  const message = value as Record<string, unknown>;
  // A response needs no type: {"id": ..., "response": ...} says what it is.
  const type = message.type ?? ('response' in message ? 'RESPONSE' : undefined);
  if (typeof type !== 'string' || !Object.hasOwn(KINDS, type)) {
    const allowed = Object.keys(KINDS).join(', ');
    throw invalid([{ field: 'type', message: `${show(type)} is not one of ${allowed}` }]);
  }
  assertValid(KINDS[type as keyof typeof KINDS], message);
  return { ...message, type } as AppMessage;
}
