/** The errors both services and the command use. */

/** One thing that is wrong with an input. */
export interface Violation {
  /** Path of the field: `antennas[1].transmitPower`. Empty for the input as a whole. */
  field: string;
  /** What was given and what is allowed. */
  message: string;
}

export type ErrorCode =
  /** The input is wrong; `violations` name the fields. */
  | 'INVALID'
  /** The input is right, but the present state does not allow the operation. */
  | 'STATE'
  /** As many of these as may be are under way. */
  | 'TOO_MANY'
  /** What is asked for does not exist. */
  | 'NOT_FOUND'
  /** Something needed is away for now (radio module, service, network). */
  | 'UNAVAILABLE'
  /** What was to be set cannot be stored: the disk is full, read-only or broken. */
  | 'STORAGE'
  /** Credentials are missing or wrong. */
  | 'UNAUTHENTICATED'
  /** Credentials were wrong too often. */
  | 'TOO_MANY_LOGINS'
  /** A setting at the start of a program is wrong: one clear line and exit code 2. */
  | 'CONFIG'
  | 'INTERNAL';

export interface ErrorInfo {
  /** As CONTROL_HELD. */
  reason: string;
  metadata: Readonly<Record<string, string>>;
}

export class SingulateError extends Error {
  override readonly name = 'SingulateError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly violations: readonly Violation[] = [],
    /** Another try makes sense after so many seconds. */
    readonly retryAfter?: number,
    /** What a program may act on (google.rpc.ErrorInfo of the contract). */
    readonly info?: ErrorInfo,
  ) {
    super(message);
  }
}

export function isSingulateError(error: unknown, code?: ErrorCode): error is SingulateError {
  return error instanceof SingulateError && (code === undefined || error.code === code);
}

/** Violations that a message lists: a client may send thousands of wrong values at once. */
export const MOST_LISTED = 50;

/** An INVALID error whose message lists every violation, or says how many more there are. */
export function invalid(violations: readonly Violation[]): SingulateError {
  const listed = violations.slice(0, MOST_LISTED);
  const text = listed.map((v) => (v.field ? `${v.field}: ${v.message}` : v.message));
  if (violations.length > MOST_LISTED) text.push(`and ${violations.length - MOST_LISTED} more`);
  return new SingulateError('INVALID', text.join('; '), violations);
}

/** The paths of violations as a client sees them whose input begins at `part`, a path of the whole. */
export function seenFrom(part: string, violations: readonly Violation[]): Violation[] {
  const above = `${part}.`;
  return violations.map(({ field, message }) => ({
    field: field.startsWith(above) ? field.slice(above.length) : field,
    message,
  }));
}

/** A CONFIG error: `message` is the one line the user sees. */
export function configError(message: string): SingulateError {
  return new SingulateError('CONFIG', message);
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Exit code of a program that was given a wrong setting; its supervisor does not restart it. */
export const EXIT_CONFIG = 2;
