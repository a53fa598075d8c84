/** null in a change of the configuration: the part is taken back. Pure. */

/** What clients wrote is kept as it is, null or not. */
const FREE_FORM: readonly string[] = ['userDefined'];

/** A change of T: parts, and parts of parts, may be null. */
export type OrNull<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: OrNull<T[K]> | null }
    : T;

/**
 * A copy without what is null or undefined, whatever the depth.
 * @param value A T, or a change of one.
 */
export function withoutNulls<T>(value: unknown): T {
  return stripped(value) as T;
}

function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripped);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null && inner !== undefined)
      .map(([key, inner]) => [key, FREE_FORM.includes(key) ? inner : stripped(inner)]),
  );
}
