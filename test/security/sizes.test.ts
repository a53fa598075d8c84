/** What is too large is refused before it is kept. */
import t from 'tap';
import { TestReader, until } from '../gateway/reader.js';
import { RawClient } from './raw.js';

t.test('one reader', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const { message: token } = (await reader.login()).json;
  const put = `PUT /cloud/config HTTP/1.1\r\nHost: r\r\nAuthorization: Bearer ${token}\r\n`;

  t.test('a body that says so is refused without a byte of it', async (t) => {
    const client = await RawClient.open(t, reader);
    client.send(`${put}Content-Length: 1000001\r\n\r\n`);
    await until('the answer', () => client.statuses.length > 0);
    t.same(client.statuses, [413]);
    t.match(client.text, /"code":8/);
    await until('the connection is closed', () => client.closed);
  });

  t.test('a body in chunks is refused once it is above the limit', async (t) => {
    const client = await RawClient.open(t, reader);
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    client.send(`${put}Transfer-Encoding: chunked\r\n\r\n`);
    let sent = 0;
    while (client.statuses.length === 0 && sent < 64) {
      client.send(chunk);
      sent++;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    t.same(client.statuses, [413]);
    await until('the connection is closed', () => client.closed);
  });

  t.test('a body that nobody asked for does not go on for ever', async (t) => {
    const client = await RawClient.open(t, reader);
    client.send('PUT /cloud/config HTTP/1.1\r\nHost: r\r\nTransfer-Encoding: chunked\r\n\r\n');
    await until('the answer', () => client.statuses.length > 0);
    t.same(client.statuses, [401]);
    const timer = setInterval(() => client.send('1\r\nx\r\n'), 20);
    t.teardown(() => clearInterval(timer));
    await until('the connection is closed', () => client.closed);
  });

  t.test('a packed body is not unpacked', async (t) => {
    const client = await RawClient.open(t, reader);
    client.send(`${put}Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}`);
    await until('the answer', () => client.statuses.length > 0);
    t.same(client.statuses, [400]);
    t.match(client.text, /Content-Encoding/);
  });

  t.test('headers that are too large are refused', async (t) => {
    const client = await RawClient.open(t, reader);
    client.send(
      `GET /cloud/openapi.json HTTP/1.1\r\nHost: r\r\nX-A: ${'x'.repeat(20_000)}\r\n\r\n`,
    );
    await until('the connection is closed', () => client.closed);
    t.same(client.statuses, [431]);
    t.match(client.text, /"code":12/);
  });

  t.test('an address that is too long is refused', async (t) => {
    const client = await RawClient.open(t, reader);
    client.send(`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: r\r\n\r\n`);
    await until('the connection is closed', () => client.closed);
    t.same(client.statuses, [431]);
  });

  t.test('too many headers are refused, and not left out', async (t) => {
    const headers = (count: number) =>
      Array.from({ length: count }, (_, i) => `X-${i}: 1\r\n`).join('');
    const many = await RawClient.open(t, reader);
    many.send(`GET /cloud/openapi.json HTTP/1.1\r\nHost: r\r\n${headers(100)}\r\n`);
    await until('the connection is closed', () => many.closed);
    t.same(many.statuses, [431]);
    const few = await RawClient.open(t, reader);
    few.send(`GET /cloud/openapi.json HTTP/1.1\r\nHost: r\r\n${headers(99)}\r\n`);
    await until('the answer', () => few.statuses.length > 0);
    t.same(few.statuses, [200]);
  });

  t.test('too many trailers are refused', async (t) => {
    const trailers = (count: number) => 'X:1\r\n'.repeat(count);
    const name = `PUT /cloud/nameAndDescription HTTP/1.1\r\nHost: r\r\nAuthorization: Bearer ${token}\r\n`;
    const body = '{"name":"n","description":""}';
    const chunked = `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n`;
    for (const [count, status] of [
      [100, 200],
      [101, 431],
      [5000, 431],
    ] as const) {
      const client = await RawClient.open(t, reader);
      client.send(`${name}${chunked}${trailers(count)}\r\n`);
      await until('the answer', () => client.statuses.length > 0);
      t.same(client.statuses, [status], `${count} trailers`);
    }
  });

  t.test('the reader answers others as before', async (t) => {
    t.equal((await reader.call('GET', 'version')).status, 200);
  });
});
