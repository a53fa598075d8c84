/** Passwords of tags in an operating mode: masked when they are shown, kept when the mask comes back. Pure. */
import { invalid, type Violation } from '../../shared/errors.js';
import { restoreSecrets } from './secrets.js';

/** Names that clients use for the list of access operations. */
const ACCESS_NAMES = ['access', 'accesses'] as const;

/**
 * A copy of the mode with the stored passwords in the place of their masks: those of the same
 * operation at the same place of the list.
 * @param field Path of the mode in messages.
 * @param problems Gets one for each mask that hides nothing.
 */
export function restoreModeSecrets<T>(
  given: T,
  stored: object,
  field: string,
  problems: Violation[],
): T {
  const { access, accesses = access } = stored as Record<string, unknown>;
  const names = given as Record<string, unknown> | null | undefined;
  const places = Object.fromEntries(
    ACCESS_NAMES.map((name) => [name, sameOperations(accesses, names?.[name])]),
  );
  return restoreSecrets(given, { ...stored, ...places }, field, { problems });
}

/** @throws INVALID for a mask that hides nothing. */
export function withModeSecrets<T>(given: T, stored: object): T {
  const problems: Violation[] = [];
  const restored = restoreModeSecrets(given, stored, '', problems);
  if (problems.length > 0) throw invalid(problems);
  return restored;
}

/** Without the operations that are of another type than what is given in their places. */
function sameOperations(stored: unknown, given: unknown): unknown {
  if (Array.isArray(stored) && Array.isArray(given)) {
    return stored.map((one, index) => sameOperations(one, given[index]));
  }
  return typeOf(stored) === typeOf(given) ? stored : undefined;
}

function typeOf(operation: unknown): unknown {
  return (operation as { type?: unknown } | null | undefined)?.type;
}
