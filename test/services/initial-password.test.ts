/** The first password of a reader that nobody watches at its start. */
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { Login } from '../../src/reader-gateway/auth/login.js';
import {
  ensureLogin,
  INITIAL_PASSWORD,
  LoginStore,
} from '../../src/reader-gateway/auth/login-store.js';
import { Tokens } from '../../src/reader-gateway/auth/tokens.js';
import { temporaryFolder } from '../gateway/reader.js';

const ADDRESS = '192.0.2.1';

t.test('it is in a file for its owner alone, works, and goes with the first change', async (t) => {
  const stateDir = temporaryFolder(t);
  const file = join(stateDir, INITIAL_PASSWORD);
  const { newPassword } = await ensureLogin(stateDir, undefined, { toFile: true });
  const currentPassword = readFileSync(file, 'utf8').trim();
  t.equal(currentPassword, newPassword);
  t.equal(statSync(file).mode & 0o777, 0o600);
  t.same(await ensureLogin(stateDir, undefined, { toFile: true }), { user: 'admin' });
  t.equal(readFileSync(file, 'utf8').trim(), currentPassword, 'a second start keeps it');

  const logins = await LoginStore.load(stateDir);
  const login = new Login(logins, new Tokens(logins.state.secret));
  const change = { userName: 'admin', currentPassword, newPassword: 'another password' };
  await login.changePassword(change, ADDRESS);
  t.notOk(existsSync(file));
});

t.test('a password that is given is in no file', async (t) => {
  const stateDir = temporaryFolder(t);
  await ensureLogin(stateDir, undefined, { toFile: true });
  await ensureLogin(stateDir, 'a given password', { toFile: true });
  t.notOk(existsSync(join(stateDir, INITIAL_PASSWORD)));
});

t.test('without a place for the file there is no login that nobody knows', async (t) => {
  const stateDir = temporaryFolder(t);
  mkdirSync(join(stateDir, INITIAL_PASSWORD));
  await t.rejects(ensureLogin(stateDir, undefined, { toFile: true }));
  t.notOk(existsSync(join(stateDir, 'auth.json')));
});
