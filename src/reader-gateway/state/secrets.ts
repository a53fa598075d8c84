/** Secrets of connections never leave the reader: they are masked, and a mask that comes back keeps them. */
import type { Violation } from '../../shared/errors.js';
import { joinPath } from '../api/validate.js';

export const MASK = '********';

const SECRET_KEYS: readonly string[] = ['password', 'token'];

/** A copy with every secret masked, whatever the depth. */
export function maskSecrets<T>(value: T): T {
  return mapSecrets(value, () => MASK);
}

/** A copy with a text of the same kind in the place of every mask, to look at all the rest. */
export function replaceMasks<T>(value: T, secret: string): T {
  return mapSecrets(value, (inner) => (inner === MASK ? secret : inner));
}

function mapSecrets<T>(value: T, map: (secret: string) => string): T {
  if (Array.isArray(value)) return value.map((inner) => mapSecrets(inner, map)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    SECRET_KEYS.includes(key) && typeof inner === 'string' ? map(inner) : mapSecrets(inner, map),
  ]);
  return Object.fromEntries(entries) as T;
}

/**
 * A copy with every mask replaced by the secret that is stored in its place.
 * @param problems Gets a violation for each mask that hides nothing.
 */
export function restoreSecrets<T>(
  value: T,
  stored: unknown,
  field: string,
  problems: Violation[],
): T {
  if (Array.isArray(value)) {
    const before: readonly unknown[] = Array.isArray(stored) ? stored : [];
    return value.map((inner, index) =>
      restoreSecrets(inner, before[index], joinPath(field, index), problems),
    ) as T;
  }
  if (typeof value !== 'object' || value === null) return value;
  const old = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<
    string,
    unknown
  >;
  const entries = Object.entries(value).map(([key, inner]) => {
    const path = joinPath(field, key);
    if (!SECRET_KEYS.includes(key) || inner !== MASK) {
      return [key, restoreSecrets(inner, old[key], path, problems)];
    }
    if (typeof old[key] !== 'string') {
      problems.push({ field: path, message: 'is the mask of a secret that is not stored here' });
    }
    return [key, old[key]];
  });
  return Object.fromEntries(entries) as T;
}
