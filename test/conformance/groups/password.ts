/** The password of the reader. */
import type { Login } from '../../../src/reader-gateway/auth/login.js';
import { USER } from '../../../src/reader-gateway/auth/login-store.js';
import { PASSWORD } from '../../gateway/reader.js';
import type { Door } from '../doors.js';
import type { Group } from '../operation-case.js';

const OTHER_PASSWORD = 'another password for tests';
const WRONG = { userName: USER, currentPassword: 'a guess', newPassword: OTHER_PASSWORD };
/** Clients of the doors, as the limit of guessing sees them. */
const CLIENTS = { REST: '127.0.0.1', MQTT: 'mqtt' };
/** Failed logins of a client, before it has to wait for a minute. */
const GUESSES = 10;

export const password: Group = async ({ reader, logInAgain }) => {
  const { login } = reader.gateway.context;
  const guess = async ({ name }: Door) => {
    // A few at a time: there is also a limit on that.
    for (let rest = GUESSES; rest > 0; rest -= 5) {
      const guesses = Array.from({ length: 5 }, () => login.check(USER, 'a guess', CLIENTS[name]));
      await Promise.all(guesses);
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
    const checks = Object.values(CLIENTS).map((client) => login.check(USER, PASSWORD, client));
    // Other readers of this process go on by the right time.
    Date.now = now;
    await Promise.all(checks);
  } finally {
    Date.now = now;
  }
}
