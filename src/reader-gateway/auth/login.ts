/** Checks logins: name and password against auth.json, with a limit on guessing. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LoginAttempts } from './attempts.js';
import { type AuthState, USER } from './login-store.js';
import { verifyPassword } from './password.js';

const FAILURE_DELAY_MS = 250;
// Hashing is heavy on purpose: a flood of logins must not take the processor from the reads.
const MAX_WAITING = 8;

export type LoginResult =
  | { result: 'ok' }
  | { result: 'wrong' }
  | { result: 'blocked'; seconds: number };

export class Login {
  readonly #attempts = new LoginAttempts();
  readonly #state: AuthState;
  #checks: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(state: AuthState) {
    this.#state = state;
  }

  /** @param address Where the request comes from. */
  async check(user: string, password: string, address: string): Promise<LoginResult> {
    const seconds = this.#attempts.blockedFor(address);
    if (seconds > 0) return { result: 'blocked', seconds };
    if (this.#waiting >= MAX_WAITING) return { result: 'blocked', seconds: 1 };
    this.#waiting++;
    // One after the other; the password is hashed for a wrong name too, so both take the same time.
    const check = this.#checks.then(() => verifyPassword(password, this.#state));
    this.#checks = check.catch(() => {});
    try {
      const passwordFits = await check;
      if (sameText(user, USER) && passwordFits) {
        this.#attempts.succeeded(address);
        return { result: 'ok' };
      }
    } finally {
      this.#waiting--;
    }
    this.#attempts.failed(address);
    await sleep(FAILURE_DELAY_MS);
    return { result: 'wrong' };
  }
}

function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
