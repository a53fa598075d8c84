/** Errors of calls: for people, and whether another try makes sense. */
import { status } from '@grpc/grpc-js';
import { errorDetails } from '../contract/error-details.js';

/** Repeating the call would not help: it is wrong, or not allowed to this client. */
const FINAL: readonly unknown[] = [
  status.INVALID_ARGUMENT,
  status.PERMISSION_DENIED,
  status.UNAUTHENTICATED,
  status.UNIMPLEMENTED,
];

export function isFinal(error: unknown): boolean {
  return FINAL.includes(codeOf(error));
}

/** The code, and each wrong field in a line of its own where the service names them. */
export function describeError(error: unknown): string {
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error ? error.message : String(error);
  const { violations } = errorDetails(error);
  if (violations.length > 0) {
    const lines = violations.map(({ field, message }) => `\n  ${field}: ${message}`);
    return `${status[code]}${lines.join('')}`;
  }
  return `${status[code]}: ${(error as { details?: string }).details}`;
}

function codeOf(error: unknown): status | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'number' && code in status ? code : undefined;
}
