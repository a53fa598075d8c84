/** The error answers of the interface: HTTP status and code of each kind of error. */
import { isSingulateError } from '../../shared/errors.js';
import { type Static, Type } from './schema.js';

/** Body of every error, over REST and as the payload of a failed MQTT command. */
export const ErrorBody = Type.Object(
  {
    code: Type.Integer({ description: '1 = invalid payload; see docs/rest-and-mqtt.md' }),
    message: Type.String({ description: 'Names each wrong field and what is allowed' }),
  },
  { description: 'An error' },
);
export type ErrorBody = Static<typeof ErrorBody>;

/** The one table of codes; docs/rest-and-mqtt.md explains them. Numbers never change. */
export const ERRORS = {
  INVALID: { status: 400, code: 1 },
  UNAUTHENTICATED: { status: 401, code: 2 },
  STATE: { status: 400, code: 3 },
  UNAVAILABLE: { status: 500, code: 4 },
  NOT_FOUND: { status: 404, code: 5 },
  METHOD_NOT_ALLOWED: { status: 405, code: 6 },
  TOO_MANY_LOGINS: { status: 429, code: 7 },
  TOO_LARGE: { status: 413, code: 8 },
  INTERNAL: { status: 500, code: 9 },
  TOO_MANY_STREAMS: { status: 503, code: 10 },
  TOO_MANY: { status: 429, code: 11 },
  HEADERS_TOO_LARGE: { status: 431, code: 12 },
  TOO_SLOW: { status: 408, code: 13 },
} as const;

export type ErrorKind = keyof typeof ERRORS;

export interface ErrorAnswer {
  status: number;
  body: ErrorBody;
  /** Seconds. */
  retryAfter?: number | undefined;
}

export function errorAnswer(kind: ErrorKind, message: string): ErrorAnswer {
  const { status, code } = ERRORS[kind];
  return { status, body: { code, message } };
}

/** The answer to anything thrown. Texts of unexpected errors stay in the log. */
export function toErrorAnswer(error: unknown): ErrorAnswer {
  if (!isSingulateError(error) || error.code === 'CONFIG' || error.code === 'INTERNAL') {
    return errorAnswer('INTERNAL', 'internal error, see the log of the reader');
  }
  const { retryAfter } = error;
  return { ...errorAnswer(error.code, error.message), ...(retryAfter ? { retryAfter } : {}) };
}
