/** Requests without a valid token wait for each other; those with one do not wait for them. */
import t from 'tap';
import { basic, PASSWORD, send, TestReader, until } from '../gateway/reader.js';
import { RawClient } from './raw.js';

const MOST_WAITING = 3;

t.test('a reader that has had its share of them', async (t) => {
  // The first one uses it up, for as long as this test takes.
  const strangers = { share: 1e-6, burstMs: 0.001, mostWaiting: MOST_WAITING };
  const reader = await TestReader.start(t, { restLimits: { strangers } });
  t.teardown(() => reader.gateway.stop());
  const token = (await reader.login()).json.message as string;
  const ask = async (headers: string, path = '/cloud/status') => {
    const client = await RawClient.open(t, reader);
    client.send(`GET ${path} HTTP/1.1\r\nHost: reader\r\n${headers}\r\n`);
    return client;
  };
  const counts = async () => {
    const client = await ask(`Authorization: Bearer ${token}\r\n`, '/cloud/metrics');
    await until('the metrics are there', () => client.text.includes('without_token_seconds'));
    const found = client.text.matchAll(/without_token_(?:total\{result=")?(\w+)(?:"\})? (\d+)$/gm);
    const { seconds_total: _time, ...numbers } = Object.fromEntries(
      [...found].map(([, result, count]) => [result, Number(count)]),
    );
    return numbers;
  };
  t.same(await counts(), { waiting: 0, taken: 1, refused: 0 }, 'the login');

  const [, payload] = token.split('.');
  const forged = `${token.split('.')[0]}.${payload}.${Buffer.alloc(32).toString('base64url')}`;
  const waiting = [
    await ask(''),
    await ask('Authorization: Bearer nonsense\r\n'),
    await ask(`Authorization: Bearer ${forged}\r\n`),
  ];
  const onlyWaits = () => waiting.every(({ text, closed }) => text === '' && !closed);

  t.test('who has a token is answered meanwhile', async (t) => {
    for (const path of ['/cloud/status', '/cloud/openapi.json']) {
      const headers = { authorization: `Bearer ${token}` };
      t.equal((await send(reader.gateway.restUrl, 'GET', path, { headers })).status, 200);
    }
    t.ok(onlyWaits());
  });

  t.test('one more of the same address is refused, and told when to come again', async (t) => {
    const one = await ask('');
    await until('it is refused', () => one.closed);
    t.match(one.text, /^HTTP\/1\.1 429 [\s\S]*retry-after: [1-9]/);
    t.match(one.text, /"code":11/);
    t.ok(onlyWaits());
    t.same(await counts(), { waiting: MOST_WAITING, taken: 1, refused: 1 });
  });

  t.test('a login has a place of its own', async (t) => {
    const login = await ask(
      `Authorization: ${basic('admin', PASSWORD).authorization}\r\n`,
      '/cloud/localRestLogin',
    );
    await until('another is refused for it', () => waiting.some(({ closed }) => closed));
    t.equal(login.closed, false);
    login.socket.destroy();
  });

  t.test('those who left make room', async (t) => {
    for (const { socket } of waiting) socket.destroy();
    await until('they are forgotten', async () => (await counts()).waiting === 0);
    for (let i = 0; i < MOST_WAITING; i++) await ask('');
    await until('others wait', async () => (await counts()).waiting === MOST_WAITING);
    t.equal((await counts()).refused, 2);
  });
});
