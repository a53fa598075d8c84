/** The WebSocket /ws as a stream of events. */
import t from 'tap';
import { send, until } from './reader.js';
import {
  bearer,
  idOf,
  openWebSocket,
  readTags,
  streamingReader,
  WebSocketClient,
} from './streams.js';

t.test('one reader', async (t) => {
  const { reader, token } = await streamingReader(t);

  t.test('a client with a token gets events as objects in text messages', async (t) => {
    const clients = [
      await openWebSocket(t, reader, '/ws', bearer(token)),
      await openWebSocket(t, reader, `/ws?access_token=${token}`),
    ];
    readTags(reader, 1, 50);
    for (const client of clients) {
      await until('all events', () => client.numbers.length === 50);
      t.match(client.events[49], { type: 'SIMPLE', data: { idHex: idOf(50), eventNum: 50 } });
      for (const message of client.messages) t.match(message, /^(\{[^\n]+\}\n)*\{[^\n]+\}$/);
      t.equal(client.socket.extensions, '', 'nothing is compressed');
    }
  });

  t.test('after=N goes on after event N', async (t) => {
    const client = await openWebSocket(t, reader, '/ws?after=48', bearer(token));
    await until('two events', () => client.numbers.length === 2);
    readTags(reader, 51, 51);
    await until('three events', () => client.numbers.length === 3);
    t.same(client.numbers, [49, 50, 51]);
  });

  t.test('without a valid token there is no upgrade', async (t) => {
    for (const path of ['/ws', '/ws?access_token=', `/ws?access_token=${token}A`]) {
      const answer = await WebSocketClient.open(t, reader, path);
      t.match(answer, { status: 401, body: { code: 2, message: /token/ } });
    }
    const answer = await WebSocketClient.open(t, reader, '/ws', bearer('nonsense'));
    t.match(answer, { status: 401 });
  });

  t.test('a wrong number is refused and the field is named', async (t) => {
    const answer = await WebSocketClient.open(t, reader, '/ws?after=-1', bearer(token));
    t.match(answer, { status: 400, body: { code: 1, message: /^after: / } });
  });

  t.test('no other path has a WebSocket', async (t) => {
    for (const path of ['/', '/ws/', '/cloud/events', '/cloud/status']) {
      const answer = await WebSocketClient.open(t, reader, path, bearer(token));
      t.match(answer, { status: 404, body: { code: 5, message: /\/ws/ } }, path);
    }
    t.equal((await send(reader.gateway.restUrl, 'GET', '/ws')).status, 404);
  });

  t.test('what a client says is ignored, unless it is long', async (t) => {
    const client = await openWebSocket(t, reader, '/ws', bearer(token));
    client.socket.send('{"command":"stop"}');
    client.socket.send(Buffer.alloc(100));
    readTags(reader, 52, 52);
    await until('an event', () => client.numbers.length === 1);
    client.socket.send('x'.repeat(10_000));
    await until('it is closed', () => client.closed !== undefined);
    t.equal(client.closed?.code, 1009, 'message too big');
  });

  t.test('a client that leaves is no stream any more', async (t) => {
    const client = await openWebSocket(t, reader, '/ws', bearer(token));
    client.socket.close();
    await until('it is closed', () => client.closed !== undefined);
    await until('all are gone', () => reader.gateway.streams.counters.open === 0);
    t.equal(reader.gateway.streams.counters.cutOff, 0);
  });
});
