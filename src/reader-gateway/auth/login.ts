/** Checks logins, name and password against auth.json, with a limit on guessing; and changes the password. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientKey } from '../../shared/arrivals/client-key.js';
import { KnownClients } from '../../shared/arrivals/known-clients.js';
import { invalid, SingulateError } from '../../shared/errors.js';
import { LoginAttempts } from './attempts.js';
import { HashTurns } from './hash-turns.js';
import { type LoginStore, newLogin, USER } from './login-store.js';
import { verifyPassword } from './password.js';
import type { Tokens } from './tokens.js';

const FAILURE_DELAY_MS = 250;

export type LoginResult =
  | { result: 'ok' }
  | { result: 'wrong' }
  | { result: 'blocked'; seconds: number };

export interface PasswordChange {
  userName: string;
  currentPassword: string;
  newPassword: string;
}

/** Logins that were not looked at. */
export interface LoginRefusals {
  /** Too many failed ones of the address. */
  failures: number;
  /** Too many at a time. */
  places: number;
}

export class Login {
  readonly refused: LoginRefusals = { failures: 0, places: 0 };
  readonly #attempts = new LoginAttempts();
  readonly #store: LoginStore;
  readonly #tokens: Tokens;
  readonly #known: KnownClients;
  readonly #turns = new HashTurns();
  #changes: Promise<unknown> = Promise.resolve();

  /** @param known Addresses for which places are kept. */
  constructor(store: LoginStore, tokens: Tokens, known = new KnownClients()) {
    this.#known = known;
    this.#store = store;
    this.#tokens = tokens;
  }

  /** @param address Where the request comes from. */
  async check(user: string, password: string, address: string): Promise<LoginResult> {
    const key = clientKey(address);
    const seconds = this.#attempts.blockedFor(key);
    if (seconds > 0) {
      this.refused.failures++;
      return { result: 'blocked', seconds };
    }
    const isKnown = this.#known.has(key);
    if (!this.#turns.hasPlace(isKnown)) {
      this.refused.places++;
      return { result: 'blocked', seconds: 1 };
    }
    // The password is hashed for a wrong name too, so both take the same time.
    const passwordFits = await this.#turns.run(isKnown, () =>
      verifyPassword(password, this.#store.state),
    );
    if (sameText(user, USER) && passwordFits) {
      this.#attempts.succeeded(key);
      this.#known.saw(address);
      return { result: 'ok' };
    }
    this.#attempts.failed(key);
    await sleep(FAILURE_DELAY_MS);
    return { result: 'wrong' };
  }

  /**
   * Every token of before is worth nothing from the return on.
   * @param address Where the request comes from; a wrong password counts as a failed login of it.
   * @throws UNAUTHENTICATED, TOO_MANY_LOGINS, INVALID; then nothing has changed.
   */
  changePassword(change: PasswordChange, address: string): Promise<void> {
    // Of two with the same current password only the first is right.
    const done = this.#changes.then(() => this.#change(change, address));
    this.#changes = done.catch(() => {});
    return done;
  }

  async #change(
    { userName, currentPassword, newPassword }: PasswordChange,
    address: string,
  ): Promise<void> {
    const checked = await this.check(userName, currentPassword, address);
    if (checked.result === 'blocked') throw tooManyLogins(checked.seconds);
    if (checked.result === 'wrong') {
      const message = 'userName or currentPassword is wrong';
      throw new SingulateError('UNAUTHENTICATED', message);
    }
    if (sameText(newPassword, currentPassword)) {
      throw invalid([{ field: 'newPassword', message: 'is the current password' }]);
    }
    const state = await newLogin(newPassword);
    await this.#store.save(state);
    this.#known.forgetAll();
    this.#known.saw(address);
    this.#tokens.revokeAll(state.secret);
  }
}

export function tooManyLogins(seconds: number): SingulateError {
  return new SingulateError(
    'TOO_MANY_LOGINS',
    `too many failed logins, try again in ${seconds} s`,
    [],
    seconds,
  );
}

function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
