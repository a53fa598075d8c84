/** What a client is told of a fetch that failed: one table for all operations that fetch files. */
import { invalid, SingulateError } from '../../shared/errors.js';
import { FetchProblem } from './fetch-source.js';
import { retryAfterMs } from './http-answer.js';
import type { HttpAnswer } from './http-request.js';

/**
 * @returns INVALID if the request names what the server does not give it: another address, login or CA
 * is needed. UNAVAILABLE if the same request may succeed another time.
 */
export function fetchFault({ field, message, passing }: FetchProblem): SingulateError {
  if (passing) return new SingulateError('UNAVAILABLE', `${field}: ${message}`);
  return invalid([{ field, message }]);
}

/** Of an answer without the file. */
export function httpRefusal({
  statusCode,
  headers,
  where,
}: Omit<HttpAnswer, 'body'>): FetchProblem {
  if (statusCode === 401 || statusCode === 403) {
    return new FetchProblem('options', `${where} does not let us in (HTTP status ${statusCode})`);
  }
  const passing = statusCode >= 500 || [408, 425, 429].includes(statusCode);
  const text = `${where} answers with HTTP status ${statusCode}`;
  return new FetchProblem('url', text, passing, passing ? retryAfterMs(headers) : 0);
}
