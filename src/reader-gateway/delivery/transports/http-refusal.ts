/** What the answer to a POST says about the message, and about the time of the next try. */
import type { IncomingHttpHeaders } from 'node:http';

/** The POST was answered, and not with success. */
export class NotTaken extends Error {
  readonly isAboutMessage: boolean;
  /** What the server asks for; undefined = nothing. */
  readonly retryAfterMs: number | undefined;

  constructor(status: number, headers: IncomingHttpHeaders, nowMs: number) {
    super(`HTTP status ${status}`);
    this.isAboutMessage = ABOUT_MESSAGE.has(status);
    this.retryAfterMs = MAY_SAY_WHEN.has(status) ? retryAfterMs(headers, nowMs) : undefined;
  }
}

/**
 * Bad Request, Conflict, Content Too Large, Unsupported Media Type, Unprocessable Content: the same
 * message gets the same answer. All others are about the URL, the login or the server.
 */
const ABOUT_MESSAGE: ReadonlySet<number> = new Set([400, 409, 413, 415, 422]);
/** Too Many Requests, Service Unavailable. */
const MAY_SAY_WHEN: ReadonlySet<number> = new Set([429, 503]);

/** Seconds, or a date (RFC 9110, 10.2.3). */
function retryAfterMs(headers: IncomingHttpHeaders, nowMs: number): number | undefined {
  const text = headers['retry-after'] ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
