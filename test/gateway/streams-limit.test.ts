/** There is a limit of streams, and a request beyond it is told so. */
import t from 'tap';
import { send, until } from './reader.js';
import { bearer, HttpStream, openWebSocket, streamingReader, WebSocketClient } from './streams.js';

t.test('the 33rd stream is refused until another one ends', async (t) => {
  const { reader, token } = await streamingReader(t);
  const headers = bearer(token);
  const first = await HttpStream.open(t, reader, '/cloud/events', headers);
  for (let more = 0; more < 16; more++) await HttpStream.open(t, reader, '/cloud/events', headers);
  for (let more = 0; more < 15; more++) await openWebSocket(t, reader, '/ws', headers);
  t.equal(reader.gateway.streams.counters.open, 32);

  const refused = { code: 10, message: /all 32 event streams are in use/ };
  const answer = await send(reader.gateway.restUrl, 'GET', '/cloud/events', { headers });
  t.match(answer, { status: 503, json: refused });
  const upgrade = await WebSocketClient.open(t, reader, '/ws', headers);
  t.match(upgrade, { status: 503, body: refused });
  t.equal((await reader.call('GET', 'version')).status, 200, 'operations go on');

  first.response.destroy();
  await until('there is room', () => reader.gateway.streams.counters.open === 31);
  const client = await openWebSocket(t, reader, '/ws', headers);
  t.equal(client.socket.readyState, client.socket.OPEN);
});
