/** The WebSocket /ws while an endpoint takes its clients. */
import t from 'tap';
import type { WebSocket } from 'ws';
import { until } from './reader.js';
import { bearer, openWebSocket, readTags, streamingReader, WebSocketClient } from './streams.js';

t.test('an endpoint takes every client of /ws, and none needs a token', async (t) => {
  const { reader, token } = await streamingReader(t);
  const door = reader.gateway.webSocketDoor;
  const before = await openWebSocket(t, reader, '/ws', bearer(token));
  const taken: WebSocket[] = [];
  door.taker = (socket) => {
    taken.push(socket);
    socket.send('{"hello":1}');
  };
  const client = await openWebSocket(t, reader, '/ws');
  const other = await openWebSocket(t, reader, '/ws?access_token=nonsense&after=x');
  await until('both are greeted', () => client.messages.length + other.messages.length === 2);
  t.equal(taken.length, 2);
  readTags(reader, 1, 2);
  await until('the stream of before goes on', () => before.numbers.length === 2);
  t.same(client.messages, ['{"hello":1}'], 'only what the endpoint sends');

  door.taker = undefined;
  t.match(await WebSocketClient.open(t, reader, '/ws'), { status: 401 });
  t.equal(client.socket.readyState, client.socket.OPEN, 'clients of before are the endpoint’s');

  await reader.gateway.stop();
  await until('all are told', () => client.closed && other.closed && before.closed);
  t.match([client.closed, other.closed, before.closed], Array(3).fill({ code: 1001 }));
});

t.test('an endpoint that fails takes nothing else with it', async (t) => {
  const { reader } = await streamingReader(t);
  reader.gateway.webSocketDoor.taker = () => {
    throw new Error('not today');
  };
  const client = await openWebSocket(t, reader, '/ws');
  client.socket.on('error', () => {});
  await until('it is closed', () => client.closed !== undefined);
  t.equal((await reader.call('GET', 'version')).status, 200);
});
