/** Many requests in one go: a connection has one of them carried out at a time. */
import t from 'tap';
import { TestReader, until } from '../gateway/reader.js';
import { RawClient } from './raw.js';

t.test('one reader', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const authorization = `Authorization: Bearer ${(await reader.login()).json.message}`;
  const rename = (name: string) => {
    const body = JSON.stringify({ name, description: '' });
    const head = 'PUT /cloud/nameAndDescription HTTP/1.1\r\nHost: reader\r\n';
    return `${head}${authorization}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };
  const range = (count: number) => Array.from({ length: count }, (_, index) => index);

  t.test('they are answered in their order', async (t) => {
    const client = await RawClient.open(t, reader);
    client.send(
      range(50)
        .map((index) => rename(`in order ${index}`))
        .join(''),
    );
    await until('all are answered', () => client.statuses.length === 50);
    t.same([...new Set(client.statuses)], [200]);
    const { json } = await reader.call('GET', 'nameAndDescription');
    t.equal(json.name, 'in order 49');
  });

  t.test('those of a client that is gone are not begun', async (t) => {
    const client = await RawClient.open(t, reader);
    client.send(
      range(90)
        .map((index) => rename(`gone ${index}`))
        .join(''),
    );
    await until('the first is answered', () => client.statuses.length > 0);
    client.socket.destroy();
    let name = '';
    await until('nothing goes on', async () => {
      const before = name;
      name = (await reader.call('GET', 'nameAndDescription')).json.name;
      return name === before;
    });
    t.match(name, /^gone /);
    t.not(name, 'gone 89');
  });

  t.test('with more than a hundred the connection is closed, and nobody else waits', async (t) => {
    const client = await RawClient.open(t, reader);
    const document = 'GET /cloud/openapi.json HTTP/1.1\r\nHost: reader\r\n\r\n';
    client.send(document.repeat(400));
    await until('the connection is closed', () => client.closed);
    t.equal((await reader.call('GET', 'status')).status, 200);
  });
});
