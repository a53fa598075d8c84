/** The user name and password of a URL such as `https://me:secret@server/`. Pure. */

export interface UrlLogin {
  username: string;
  password: string;
}

/** @returns undefined without a user name. */
export function urlLogin({ username, password }: URL): UrlLogin | undefined {
  if (username === '') return undefined;
  return { username: decoded(username), password: decoded(password) };
}

/** As it is if it holds a "%" that begins no escape. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
