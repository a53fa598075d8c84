/** The file that an ftps address names. */

/** Relative to the folder after login, as ftp addresses are; //path is one from the root. */
export function ftpsPath(url: string): { path: string } | { problem: string } {
  let path: string;
  try {
    path = decodeURIComponent(new URL(url).pathname.slice(1));
  } catch {
    return { problem: 'has a "%" that encodes no character' };
  }
  if (path === '' || path.endsWith('/')) return { problem: 'names no file' };
  // They would be commands of their own.
  if (/\p{Cc}/u.test(path)) return { problem: 'has a control character' };
  return { path };
}
