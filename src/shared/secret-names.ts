/** Fields whose values are secrets, wherever they are: no log and no message shows one. */
export const SECRET_NAMES = [
  'password',
  'currentPassword',
  'newPassword',
  'pfxPassword',
  'pfxContent',
  'privateKeyFileContent',
  'authorization',
  'Authorization',
  'token',
] as const;

/** Maps whose values may all be secrets: headers that a server asks for. */
export const SECRET_MAPS = ['headers'] as const;

/** What holds secrets by their names; with no names in it, it may be one itself. */
const HOLDERS: readonly string[] = ['basicAuthentication', 'authenticationOptions', 'options'];

/** A value under one of these names is not what it should be: nothing of it can be shown. */
export function isMisplaced(name: string, value: unknown): boolean {
  return HOLDERS.includes(name) && (typeof value !== 'object' || Array.isArray(value));
}

/** @param path Names from the outermost to the innermost. */
export function isSecretPath(path: readonly string[]): boolean {
  const names: readonly string[] = SECRET_NAMES;
  const maps: readonly string[] = SECRET_MAPS;
  return path.some((name) => maps.includes(name)) || names.includes(path.at(-1) ?? '');
}

/** The password of a URL, or of what would be one: everything between the user and the "@". */
const URL_PASSWORD = /^([A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#@:]*:)[^/?#]*(?=@)/;
/** The password of an address without a scheme, as a broker may be written. */
const BARE_PASSWORD = /^([^/?#@:\s]*:)[^/?#\s]*(?=@)/;

/** A copy of a text with the password of its URL replaced; other texts as they are. */
export function withoutUrlPassword(text: string, mask: string): string {
  const pattern = URL_PASSWORD.test(text) ? URL_PASSWORD : BARE_PASSWORD;
  return text.replace(pattern, (_, before: string) => `${before}${mask}`);
}
