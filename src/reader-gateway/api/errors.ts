/** The error answers of the interface: HTTP status and code of each kind of error. */
import { isSingulateError } from '../../shared/errors.js';
import { storageErrorOf } from '../../shared/storage-error.js';
import { type Static, Type } from './schema.js';

export interface ErrorKindFacts {
  status: number;
  code: number;
  /** For people: the documents of the interface and docs/errors.md say the same words. */
  meaning: string;
}

/** The one table of statuses and codes. Numbers never change. */
export const ERRORS = {
  INVALID: {
    status: 400,
    code: 1,
    meaning: 'invalid payload: a field is wrong, unsupported or missing, or it is not JSON',
  },
  UNAUTHENTICATED: {
    status: 401,
    code: 2,
    meaning: 'credentials or token are missing, wrong or expired',
  },
  STATE: {
    status: 400,
    code: 3,
    meaning:
      'not possible in the present state: the radio is in use by another application, ' +
      'a connection uses the certificate, a user application does not run, ' +
      'the reader was just booted, a command waited too long',
  },
  UNAVAILABLE: {
    status: 500,
    code: 4,
    meaning:
      'the radio or a service of the system is away or refuses; ' +
      'a file server is away or fails, a user application does not answer',
  },
  NOT_FOUND: { status: 404, code: 5, meaning: 'unknown MQTT command, or nothing of this name' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    code: 6,
    meaning: 'the path does not have this method; Allow names those it has',
  },
  TOO_MANY_LOGINS: { status: 429, code: 7, meaning: 'too many failed logins' },
  TOO_LARGE: { status: 413, code: 8, meaning: 'the body is too large' },
  INTERNAL: { status: 500, code: 9, meaning: 'internal error; the log says more' },
  TOO_MANY_STREAMS: {
    status: 503,
    code: 10,
    meaning: 'all event streams are in use, or the reader is stopping',
  },
  TOO_MANY: {
    status: 429,
    code: 11,
    meaning:
      'too many at a time: connection tests, certificates to fetch, installations, ' +
      'commands to an application, requests without a valid token',
  },
  HEADERS_TOO_LARGE: { status: 431, code: 12, meaning: 'the headers are too large, or too many' },
  TOO_SLOW: { status: 408, code: 13, meaning: 'the request did not come in time' },
  STORAGE: {
    status: 500,
    code: 14,
    meaning: 'the state folder cannot be written: its disk is full, read-only or broken',
  },
  HTTP_VERSION: { status: 505, code: 15, meaning: 'another version of HTTP than 1.0 and 1.1' },
} as const satisfies Record<string, ErrorKindFacts>;

/** Status of INVALID where the interface has it so: a wrong time zone, cable or name. */
export const UNPROCESSABLE = 422;

export type ErrorKind = keyof typeof ERRORS;

/** The kinds of error that a status may be, in the order of their codes. */
export function errorsWithStatus(status: number): ErrorKindFacts[] {
  return Object.values(ERRORS).filter((facts) => facts.status === status);
}

/** Body of every error, over REST and as the payload of a failed MQTT command. */
export const ErrorBody = Type.Object(
  {
    code: Type.Unsafe<number>({
      type: 'integer',
      enum: Object.values(ERRORS).map(({ code }) => code),
      description: Object.values(ERRORS)
        .map(({ code, meaning }) => `${code} = ${meaning}`)
        .join('. '),
    }),
    message: Type.String({ description: 'Names each wrong field and what is allowed' }),
  },
  { description: 'An error' },
);
export type ErrorBody = Static<typeof ErrorBody>;

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
export function toErrorAnswer(given: unknown): ErrorAnswer {
  const error = storageErrorOf(given) ?? given;
  if (!isSingulateError(error) || error.code === 'CONFIG' || error.code === 'INTERNAL') {
    return errorAnswer('INTERNAL', 'internal error, see the log of the reader');
  }
  const { retryAfter } = error;
  return { ...errorAnswer(error.code, error.message), ...(retryAfter ? { retryAfter } : {}) };
}
