/** A request that asks for a protocol that the reader does not have is served as it is. */
import t from 'tap';
import { TestReader, until } from '../gateway/reader.js';
import { RawClient } from './raw.js';

t.test('one reader', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const { message: token } = (await reader.login()).json;
  const asking = (method: string, path: string, more = '') =>
    `${method} ${path} HTTP/1.1\r\nHost: r\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n` +
    `Authorization: Bearer ${token}\r\n${more}\r\n`;

  t.test('with a body, and again and again on one connection', async (t) => {
    const client = await RawClient.open(t, reader);
    for (let round = 1; round <= 5; round++) {
      const body = JSON.stringify({ name: `round ${round}`, description: '' });
      const length = `Content-Length: ${body.length}\r\n`;
      client.send(`${asking('PUT', '/cloud/nameAndDescription', length)}${body}`);
      await until('the answer', () => client.statuses.length === 2 * round - 1);
      client.send(asking('GET', '/cloud/nameAndDescription'));
      await until('the answer', () => client.statuses.length === 2 * round);
      t.match(client.text, `"name":"round ${round}"`);
    }
    t.same([...new Set(client.statuses)], [200]);
  });

  t.test('what is refused without one is refused', async (t) => {
    const client = await RawClient.open(t, reader);
    client.send(
      'GET /cloud/status HTTP/1.1\r\nHost: r\r\nConnection: Upgrade\r\nUpgrade: TLS/1.0\r\n\r\n',
    );
    await until('the answer', () => client.statuses.length > 0);
    t.same(client.statuses, [401]);
  });

  t.test('after a request that is not answered yet the connection is closed', async (t) => {
    const client = await RawClient.open(t, reader);
    client.send(`GET /cloud/status HTTP/1.1\r\nHost: r\r\n\r\n${asking('GET', '/cloud/status')}`);
    await until('the connection is closed', () => client.closed);
    t.notOk(client.statuses.includes(200));
  });

  t.test('WebSocket on another path is not found', async (t) => {
    const client = await RawClient.open(t, reader);
    client.send(
      'GET /other HTTP/1.1\r\nHost: r\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    await until('the answer', () => client.statuses.length > 0);
    t.same(client.statuses, [404]);
  });
});
