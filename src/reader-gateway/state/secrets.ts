/** Secrets of connections never leave the reader: they are masked, and a mask that comes back keeps them. */
import type { Violation } from '../../shared/errors.js';
import { withoutUrlPassword } from '../../shared/secret-names.js';
import { joinPath } from '../api/validate.js';

export const MASK = '********';

const SECRET_KEYS: readonly string[] = ['password', 'token'];
/** Addresses, which may hold a password. */
const URL_KEYS: readonly string[] = ['URL', 'endpoint'];

/** A copy with every secret masked, whatever the depth. */
export function maskSecrets<T>(value: T): T {
  return mapTexts(value, (key, text) => {
    if (SECRET_KEYS.includes(key)) return MASK;
    return URL_KEYS.includes(key) ? withoutUrlPassword(text, MASK) : text;
  });
}

/** A copy with a text of the same kind in the place of every mask, to look at all the rest. */
export function replaceMasks<T>(value: T, secret: string): T {
  return mapTexts(value, (key, text) =>
    SECRET_KEYS.includes(key) && text === MASK ? secret : text,
  );
}

function mapTexts<T>(value: T, map: (key: string, text: string) => string): T {
  if (Array.isArray(value)) return value.map((inner) => mapTexts(inner, map)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    typeof inner === 'string' ? map(key, inner) : mapTexts(inner, map),
  ]);
  return Object.fromEntries(entries) as T;
}

export interface Restoring {
  /** Gets a violation for each mask that hides nothing, or must not be replaced. */
  problems: Violation[];
  /** Why a mask is not replaced by what is stored; undefined = it is. */
  refusal?: string | undefined;
}

/** A copy with every mask replaced by the secret that is stored in its place. */
export function restoreSecrets<T>(value: T, stored: unknown, field: string, how: Restoring): T {
  if (Array.isArray(value)) {
    const before: readonly unknown[] = Array.isArray(stored) ? stored : [];
    return value.map((inner, index) =>
      restoreSecrets(inner, before[index], joinPath(field, index), how),
    ) as T;
  }
  if (typeof value !== 'object' || value === null) return value;
  const old = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<
    string,
    unknown
  >;
  const entries = Object.entries(value).map(([key, inner]) => {
    const path = joinPath(field, key);
    if (URL_KEYS.includes(key) && typeof inner === 'string') {
      return [key, restoredUrl(inner, old[key], path, how)];
    }
    if (!SECRET_KEYS.includes(key) || inner !== MASK) {
      return [key, restoreSecrets(inner, old[key], path, how)];
    }
    if (typeof old[key] !== 'string') {
      how.problems.push({
        field: path,
        message: 'is the mask of a secret that is not stored here',
      });
    } else if (how.refusal !== undefined) {
      how.problems.push({ field: path, message: how.refusal });
    }
    return [key, old[key]];
  });
  return Object.fromEntries(entries) as T;
}

/** A URL whose password is masked is the stored one as a whole, or none. */
function restoredUrl(value: string, stored: unknown, field: string, how: Restoring): string {
  if (withoutUrlPassword(value, '') === value || withoutUrlPassword(value, MASK) !== value) {
    return value;
  }
  if (typeof stored === 'string' && withoutUrlPassword(stored, MASK) === value) return stored;
  const message = 'holds the mask of a password that is not stored for this address';
  how.problems.push({ field, message });
  return value;
}
