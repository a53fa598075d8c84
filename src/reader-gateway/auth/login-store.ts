/** auth.json: the login of the reader. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { StateFile } from '../../shared/state-file.js';
import { type Static, Type } from '../api/schema.js';
import { assertValid } from '../api/validate.js';
import { hashPassword, randomPassword, verifyPassword } from './password.js';

export const USER = 'admin';

const AuthState = Type.Object({
  salt: Type.String(),
  hash: Type.String(),
  /** Base64; signs the JWTs. */
  secret: Type.String({ minLength: 40 }),
});
export type AuthState = Static<typeof AuthState>;

function file(stateDir: string): StateFile<AuthState> {
  return new StateFile(join(stateDir, 'auth.json'), (value) => {
    assertValid(AuthState, value);
    return value as AuthState;
  });
}

/**
 * Makes auth.json if it is missing; the random password is returned this once and stored
 * nowhere. A given password replaces the old one and ends its tokens.
 * @throws CONFIG if auth.json is not right.
 */
export async function ensureLogin(
  stateDir: string,
  password?: string,
): Promise<{ user: string; newPassword?: string }> {
  const store = file(stateDir);
  const state = await store.load();
  if (state !== undefined && (password === undefined || password === '')) return { user: USER };
  if (state !== undefined && (await verifyPassword(password ?? '', state))) return { user: USER };
  const newPassword = password || randomPassword();
  const secret = randomBytes(32).toString('base64');
  await store.save({ ...(await hashPassword(newPassword)), secret });
  return password ? { user: USER } : { user: USER, newPassword };
}

/** @throws CONFIG if auth.json is missing or not right. */
export async function loadLogin(stateDir: string): Promise<AuthState> {
  const state = await file(stateDir).load();
  if (state === undefined) throw new Error('auth.json is missing: ensureLogin makes it');
  return state;
}
