/** What logins tell to somebody who guesses: nothing, and not for long. */
import t from 'tap';
import { LoginAttempts } from '../../src/reader-gateway/auth/attempts.js';
import { Login } from '../../src/reader-gateway/auth/login.js';
import { ensureLogin, LoginStore } from '../../src/reader-gateway/auth/login-store.js';
import { Tokens } from '../../src/reader-gateway/auth/tokens.js';
import { clientKey } from '../../src/shared/arrivals/client-key.js';
import { basic, PASSWORD, send, TestReader, temporaryFolder } from '../gateway/reader.js';

const median = (values: number[]) =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;

t.test('a failed login costs the same whatever is wrong', async (t) => {
  const folder = temporaryFolder(t);
  await ensureLogin(folder, PASSWORD);
  const store = await LoginStore.load(folder);
  const login = new Login(store, new Tokens(store.state.secret));
  const kinds = {
    'wrong at the end': ['admin', `${PASSWORD.slice(0, -1)}!`],
    'wrong from the start': ['admin', `!${PASSWORD.slice(1)}`],
    'of another length': ['admin', 'x'],
    'an unknown user': ['nobody', PASSWORD],
    'an empty user': ['', ''],
  } as const;
  const costs = new Map(Object.keys(kinds).map((name) => [name, [] as number[]]));
  let address = 0;
  for (let round = 0; round < 9; round++) {
    for (const [name, [user, password]] of Object.entries(kinds)) {
      // Time of the processor: that of the wall says what else the machine does.
      const before = process.cpuUsage();
      const { result } = await login.check(user, password, `10.0.${round}.${++address}`);
      const { user: own, system } = process.cpuUsage(before);
      t.equal(result, 'wrong');
      costs.get(name)?.push((own + system) / 1000);
    }
  }
  const medians = [...costs].map(([name, values]) => ({ name, ms: median(values) }));
  const reference = medians[0]?.ms as number;
  t.ok(reference > 5, `a password is hashed: ${reference} ms`);
  for (const { name, ms } of medians) {
    t.ok(ms > reference / 2 && ms < reference * 2, `${name}: ${ms} of ${reference} ms`);
  }
});

t.test('headers do not get around the limit of failed logins', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  let last = 0;
  for (let i = 0; i < 11; i++) {
    const headers = {
      ...basic('admin', `wrong ${i}`),
      'x-forwarded-for': `10.1.1.${i}`,
      'x-real-ip': `10.1.1.${i}`,
      forwarded: `for=10.1.1.${i}`,
      'x-client-ip': `10.1.1.${i}`,
    };
    last = (await send(reader.gateway.restUrl, 'GET', '/cloud/localRestLogin', { headers })).status;
  }
  t.equal(last, 429);
});

t.test('an address counts as one in whatever form', async (t) => {
  t.equal(clientKey('::ffff:192.0.2.1'), '192.0.2.1');
  t.equal(clientKey('::FFFF:192.0.2.1'), '192.0.2.1');
  t.equal(clientKey('fe80::1%eth0'), clientKey('fe80::2%eth0'), 'one network');
  t.equal(clientKey('2001:db8:0:1::1'), clientKey('2001:db8::1:ffff:ffff:ffff:ffff'));
  t.not(clientKey('2001:db8:0:1::1'), clientKey('2001:db8:0:2::1'));
  t.equal(clientKey('::1'), '::1');
  t.equal(clientKey(''), '');
});

t.test('many addresses do not fill the memory', async (t) => {
  const attempts = new LoginAttempts();
  for (let i = 0; i < 10; i++) attempts.failed('last', 1000);
  for (let i = 0; i < 9_999; i++) attempts.failed(`address ${i}`, 1000);
  t.ok(attempts.blockedFor('last', 1000) > 0);
  attempts.failed('one more', 1000);
  t.equal(attempts.blockedFor('last', 1000), 0, 'the oldest is forgotten');
});

t.test('answers with tokens and settings are kept by nobody', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  for (const answer of [
    await reader.login(),
    await reader.call('GET', 'config'),
    await reader.call('GET', 'nothing'),
    await send(reader.gateway.restUrl, 'GET', '/cloud/config'),
  ]) {
    t.match(answer.headers, {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
    t.notOk('server' in answer.headers || 'x-powered-by' in answer.headers);
  }
});
