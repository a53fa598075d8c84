/** JSON as clients may write it, which JSON.stringify() does not: -0, numbers that are too large. */

export function jsonText(value: unknown): string {
  if (typeof value === 'number') {
    if (Object.is(value, -0)) return '-0';
    if (value === Number.POSITIVE_INFINITY) return '1e999';
    if (value === Number.NEGATIVE_INFINITY) return '-1e999';
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const parts = Object.entries(value).map(
      ([key, part]) => `${JSON.stringify(key)}:${jsonText(part)}`,
    );
    return `{${parts.join(',')}}`;
  }
  return JSON.stringify(value ?? null);
}

/** An object whose names may be any, __proto__ as well. */
export function ownProperties(entries: readonly (readonly [string, unknown])[]): object {
  const object = {};
  for (const [name, value] of entries) {
    const how = { value, enumerable: true, configurable: true, writable: true };
    Object.defineProperty(object, name, how);
  }
  return object;
}
