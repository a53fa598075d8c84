/** Clients that take their time, or all connections, get no more than their share. */
import { connect } from 'node:net';
import t from 'tap';
import { TestReader, until } from '../gateway/reader.js';
import { RawClient } from './raw.js';

const LIMITS = { headersMs: 1000, requestMs: 2000, keepAliveMs: 1000, handshakeMs: 1000 };
/** Above all limits, with room for a machine that is busy. */
const CLOSED_WITHIN_MS = 15_000;

t.test('one reader with short times', async (t) => {
  const reader = await TestReader.start(t, { restLimits: LIMITS });
  t.teardown(() => reader.gateway.stop());
  const { message: token } = (await reader.login()).json;

  const drip = (t: { teardown(end: () => void): void }, client: RawClient, text: string) => {
    const timer = setInterval(() => client.send(text), 100);
    t.teardown(() => clearInterval(timer));
  };

  t.test('slow headers and slow bodies are cut off, and others are served', async (t) => {
    const headers = await RawClient.open(t, reader);
    headers.send('GET /cloud/status HTTP/1.1\r\nHost: r\r\n');
    drip(t, headers, 'X-A: b\r\n');
    const body = await RawClient.open(t, reader);
    body.send(
      `PUT /cloud/mode HTTP/1.1\r\nHost: r\r\nAuthorization: Bearer ${token}\r\nContent-Length: 100000\r\n\r\n`,
    );
    drip(t, body, ' ');
    const silent = await RawClient.open(t, reader);
    let served = 0;
    const closed = () => headers.closed && body.closed && silent.closed;
    const end = Date.now() + CLOSED_WITHIN_MS;
    while (!closed() && Date.now() < end) {
      if ((await reader.call('GET', 'version')).status === 200) served++;
    }
    t.ok(headers.closed, 'slow headers');
    t.ok(body.closed, 'a slow body');
    t.ok(silent.closed, 'no request at all');
    t.same(headers.statuses, [408]);
    t.match(headers.text, /"code":13/);
    t.ok(served > 0, 'others were served meanwhile');
  });

  t.test('a handshake that does not end is cut off', async (t) => {
    const { hostname, port } = new URL(reader.gateway.restUrl);
    const socket = connect(Number(port), hostname);
    t.teardown(() => socket.destroy());
    let closed = false;
    socket.on('error', () => {});
    socket.on('close', () => {
      closed = true;
    });
    await until('it is closed', () => closed, CLOSED_WITHIN_MS);
    t.ok(closed);
  });

  t.test('a connection without requests is closed', async (t) => {
    const client = await RawClient.open(t, reader);
    client.send('GET /cloud/openapi.json HTTP/1.1\r\nHost: r\r\n\r\n');
    await until('it is closed', () => client.closed, CLOSED_WITHIN_MS);
    t.same(client.statuses, [200]);
  });
});

t.test('one address gets so many connections, and again when it gives some back', async (t) => {
  const connections = { all: 20, perClient: 4 };
  const reader = await TestReader.start(t, { restLimits: { connections } });
  t.teardown(() => reader.gateway.stop());
  const clients = [];
  for (let i = 0; i < 4; i++) clients.push(await RawClient.open(t, reader));
  await t.rejects(RawClient.open(t, reader), 'the fifth');
  clients[0]?.socket.destroy();
  let again: RawClient | undefined;
  const end = Date.now() + 8000;
  while (again === undefined && Date.now() < end) {
    again = await RawClient.open(t, reader).catch(() => undefined);
  }
  t.ok(again, 'another one in its place');
});
