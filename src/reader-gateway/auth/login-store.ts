/** auth.json: the login of the reader. */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from '../../shared/atomic-file.js';
import { configError } from '../../shared/errors.js';
import type { StateFaults } from '../../shared/state-faults.js';
import { StateFile } from '../../shared/state-file.js';
import { MAX_PASSWORD, MIN_PASSWORD } from '../api/password.js';
import { type Static, Type } from '../api/schema.js';
import { checked } from '../state/setting-kinds.js';
import { hashPassword, randomPassword, verifyPassword } from './password.js';

export const USER = 'admin';

/** The first password, for who may read the state folder; goes with the first change. */
export const INITIAL_PASSWORD = 'initial-password';

export const AuthState = Type.Object({
  salt: Type.String(),
  hash: Type.String(),
  /** Of the hash, a power of two; left out: 14. */
  costLog2: Type.Optional(Type.Integer({ minimum: 1, maximum: 14 })),
  /** Base64; signs the JWTs. */
  secret: Type.String({ minLength: 40 }),
});
export type AuthState = Static<typeof AuthState>;

export class LoginStore {
  readonly #file: StateFile<AuthState>;
  readonly #initialPassword: string;
  #state: AuthState;

  private constructor(stateDir: string, file: StateFile<AuthState>, state: AuthState) {
    this.#file = file;
    this.#initialPassword = join(stateDir, INITIAL_PASSWORD);
    this.#state = state;
  }

  /** @throws CONFIG if auth.json is missing or not right. */
  static async load(stateDir: string): Promise<LoginStore> {
    const file = fileIn(stateDir);
    const state = await file.load();
    if (state === undefined) throw new Error('auth.json is missing: ensureLogin makes it');
    return new LoginStore(stateDir, file, state);
  }

  get state(): AuthState {
    return this.#state;
  }

  async save(state: AuthState): Promise<void> {
    await this.#file.save(state);
    this.#state = state;
    await rm(this.#initialPassword, { force: true });
  }
}

export interface EnsuredLogin {
  user: string;
  /** Left out: the login is as it was, or has the password that was given. */
  newPassword?: string;
  /** Where the new password is, for who may read the state folder. */
  passwordFile?: string;
}

/**
 * Makes auth.json if it is missing; the random password is returned this once and stored
 * nowhere, but in the state folder if nobody is there to be told. A given password replaces the old one and ends its tokens.
 * @param faults Takes an auth.json that cannot be used: nobody can log in as before, tokens are worth
 * nothing, and the new password is in the state folder. Left out: it is an error.
 * @throws CONFIG if auth.json is not right, or a password is given that it cannot be changed to either.
 */
export async function ensureLogin(
  stateDir: string,
  password?: string,
  { toFile = false, faults }: { toFile?: boolean; faults?: StateFaults } = {},
): Promise<EnsuredLogin> {
  const store = fileIn(stateDir);
  const state = await (faults?.load(store) ?? store.load());
  const isDamaged = faults?.isUnread(store.path) ?? false;
  if (state !== undefined && (password === undefined || password === '')) return { user: USER };
  if (state !== undefined && (await verifyPassword(password ?? '', state))) return { user: USER };
  if (password) needRightPassword(password);
  const newPassword = password || randomPassword();
  const login = await newLogin(newPassword);
  const file = join(stateDir, INITIAL_PASSWORD);
  // Before the login: a password that nobody was told would lock everybody out.
  const inFile = !password && (toFile || isDamaged);
  if (inFile) await writeFileAtomic(file, `${newPassword}\n`);
  await faults?.setAside(store.path);
  await store.save(login);
  if (password) await rm(file, { force: true });
  if (password) return { user: USER };
  return { user: USER, newPassword, ...(inFile ? { passwordFile: file } : {}) };
}

/** The rule of a changed password holds here too; one from before the rule that is given again stays. @throws CONFIG */
function needRightPassword(password: string): void {
  const length = [...password].length;
  if (length >= MIN_PASSWORD && length <= MAX_PASSWORD && !/\p{Cc}/u.test(password)) return;
  const allowed = `${MIN_PASSWORD} to ${MAX_PASSWORD} characters, none of them a control character`;
  throw configError(`the given password for ${USER} is not right; allowed: ${allowed}`);
}

/** With another secret: the tokens of the password before are worth nothing. */
export async function newLogin(password: string): Promise<AuthState> {
  const secret = randomBytes(32).toString('base64');
  return { ...(await hashPassword(password)), secret };
}

function fileIn(stateDir: string): StateFile<AuthState> {
  return new StateFile(join(stateDir, 'auth.json'), checked(AuthState));
}
