/** Answers to what went wrong, out of the one table of errors. */
import {
  ERRORS,
  ErrorBody,
  type ErrorKindFacts,
  errorsWithStatus,
  UNPROCESSABLE,
} from '../api/errors.js';
import { reference } from './schema-table.js';

const nameOf = (status: number) => `Error${status}`;

/** A response for each status of the table that the paths refer to. */
export function errorComponents(paths: object): Record<string, object> {
  const statuses = [...new Set(Object.values(ERRORS).map(({ status }) => status))].sort();
  const all = {
    ...Object.fromEntries(
      statuses.map((status) => [nameOf(status), errorResponse(status, errorsWithStatus(status))]),
    ),
    [nameOf(UNPROCESSABLE)]: errorResponse(UNPROCESSABLE, [ERRORS.INVALID]),
  };
  const text = JSON.stringify(paths);
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => text.includes(`"#/components/responses/${name}"`)),
  );
}

function errorResponse(status: number, kinds: readonly ErrorKindFacts[]): object {
  const codes = kinds.map(({ code }) => code);
  return {
    description: kinds.map(({ code, meaning }) => `Code ${code}: ${meaning}`).join('. '),
    ...(status === ERRORS.TOO_MANY_LOGINS.status
      ? {
          headers: {
            'Retry-After': {
              description: 'Seconds, after too many failed logins',
              schema: { type: 'integer' },
            },
          },
        }
      : {}),
    content: {
      'application/json': {
        schema: { allOf: [reference(ErrorBody), { properties: { code: { enum: codes } } }] },
      },
    },
  };
}

export function errorReferences(...statuses: number[]): Record<string, object> {
  const all = [...new Set(statuses)].sort();
  return Object.fromEntries(
    all.map((status) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]),
  );
}
