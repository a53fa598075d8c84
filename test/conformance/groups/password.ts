/** The password of the reader. */
import type { Login } from '../../../src/reader-gateway/auth/login.js';
import { USER } from '../../../src/reader-gateway/auth/login-store.js';
import { PASSWORD } from '../../gateway/reader.js';
import type { Group } from '../operation-case.js';

const OTHER_PASSWORD = 'another password for tests';
const WRONG = { userName: USER, currentPassword: 'a guess', newPassword: OTHER_PASSWORD };
/** Clients of the two doors, as limits of guessing see them. */
const CLIENTS = ['127.0.0.1', 'mqtt'];
/** Failed logins of a client, before it has to wait for a minute. */
const GUESSES = 10;

export const password: Group = async ({ reader, logInAgain }) => {
  const { login } = reader.gateway.context;
  const guess = async () => {
    // One client after the other: there is also a limit on logins at a time.
    for (const client of CLIENTS) {
      for (let rest = GUESSES; rest > 0; rest -= 5) {
        await Promise.all(Array.from({ length: 5 }, () => login.check(USER, 'a guess', client)));
      }
    }
  };
  return {
    updatePassword: {
      success: { userName: USER, currentPassword: PASSWORD, newPassword: OTHER_PASSWORD },
      after: async ({ failed }) => {
        if (failed) return;
        const current = { userName: USER, currentPassword: OTHER_PASSWORD };
        await login.changePassword({ ...current, newPassword: PASSWORD }, 'the test');
        await logInAgain();
      },
      others: {
        401: { code: 2, request: WRONG },
        429: { code: 7, request: WRONG, before: guess, after: () => forgive(login) },
      },
    },
  };
};

/** What a right login does once the minute is over. */
async function forgive(login: Login): Promise<void> {
  const { now } = Date;
  const later = now() + 120_000;
  Date.now = () => later;
  try {
    // Whether a client has to wait is decided at once, before the password is looked at.
    const checks = CLIENTS.map((client) => login.check(USER, PASSWORD, client));
    Date.now = now;
    await Promise.all(checks);
  } finally {
    Date.now = now;
  }
}
