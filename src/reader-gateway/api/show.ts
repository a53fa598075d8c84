/** Given values in messages. */
import { isMisplaced, isSecretPath, withoutUrlPassword } from '../../shared/secret-names.js';

const LONGEST = 60;
const HIDDEN = '(secret)';

/** Short, and made in a short time, whatever the client sent; without what is secret in it. */
export function show(value: unknown): string {
  const text = textOf(value, LONGEST + 1);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 3)}...`;
}

/** At least `wanted` characters, if there are so many. */
function textOf(value: unknown, wanted: number): string {
  if (wanted <= 0) return '';
  if (typeof value === 'string')
    return JSON.stringify(withoutUrlPassword(value, HIDDEN).slice(0, wanted));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? String(value);
  const isArray = Array.isArray(value);
  let text = isArray ? '[' : '{';
  for (const key in value) {
    if (text.length > wanted) return text;
    if (text.length > 1) text += ',';
    if (!isArray) text += `${textOf(key, wanted - text.length)}:`;
    const inner = (value as Record<string, unknown>)[key];
    const isSecret = !isArray && (isSecretPath([key]) || isMisplaced(key, inner));
    text += textOf(isSecret ? HIDDEN : inner, wanted - text.length);
  }
  return text + (isArray ? ']' : '}');
}
