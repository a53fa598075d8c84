/** JSON as clients may write it, which JSON.stringify() does not: -0, numbers that are too large. */

export function jsonText(value: unknown): string {
  if (typeof value === 'string' && value.startsWith(DEEP)) return nested(value);
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

const DEEP = 'nested so deeply that no function may walk it: ';

/** Stands for a value in others, until it becomes JSON. */
export function deepText([levels, isList]: [number, boolean]): string {
  return `${DEEP}${levels} ${isList ? '[' : '{'}`;
}

/** Has such a value: no request with one is right where something is tamed. */
export function isDeep(json: string): boolean {
  return json.includes('['.repeat(10)) || json.includes('{"a":'.repeat(10));
}

function nested(text: string): string {
  const [levels, bracket] = text.slice(DEEP.length).split(' ');
  const [open, close] = bracket === '[' ? ['[', ']'] : ['{"a":', '}'];
  return `${open.repeat(Number(levels))}1${close.repeat(Number(levels))}`;
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
