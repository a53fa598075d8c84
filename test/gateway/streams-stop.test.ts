/** A gateway that stops says so to its streams, and does not wait for those that do not listen. */
import { connect } from 'node:tls';
import t from 'tap';
import { until } from './reader.js';
import {
  bearer,
  HttpStream,
  openWebSocket,
  readTags,
  serverSentEvents,
  streamingReader,
} from './streams.js';

t.test('every stream gets what there is, then the reason, then its end', async (t) => {
  const { reader, token } = await streamingReader(t);
  const headers = bearer(token);
  const sse = { ...headers, accept: 'text/event-stream' };
  const lines = await HttpStream.open(t, reader, '/cloud/events', headers);
  const browser = await HttpStream.open(t, reader, '/cloud/events', sse);
  const client = await openWebSocket(t, reader, '/ws', headers);
  readTags(reader, 1, 3);
  await until('three events', () => lines.events.length === 3);
  await reader.gateway.stop();
  await until('all are closed', () => lines.hasEnded && browser.hasEnded && client.closed);
  const closed = { type: 'CLOSED', data: { reason: 'the reader is stopping' } };
  t.match(lines.events.pop(), closed);
  t.match(serverSentEvents(browser.text).pop(), { event: 'closed', data: closed });
  t.match(client.closed, { code: 1001, reason: 'the reader is stopping' });
  t.same(client.numbers, [1, 2, 3]);
  t.notOk(lines.isCut || browser.isCut);
  t.equal(reader.gateway.streams.counters.open, 0);
  t.equal(reader.gateway.streams.counters.cutOff, 0);
});

t.test('clients that take nothing, or never finish their upgrade, do not hold it up', async (t) => {
  const { reader, token } = await streamingReader(t);
  const lines = await HttpStream.open(t, reader, '/cloud/events', bearer(token));
  lines.response.pause();
  const client = await openWebSocket(t, reader, '/ws', bearer(token));
  client.socket.pause();
  const { port } = new URL(reader.gateway.restUrl);
  const half = connect({ port: Number(port), rejectUnauthorized: false });
  t.teardown(() => half.destroy());
  half.on('error', () => {});
  half.write('GET /ws HTTP/1.1\r\nhost: reader\r\nconnection: upgrade\r\nupgrade: websocket\r\n');
  // More than the sockets hold.
  for (let round = 0; round < 90; round++) {
    const first = round * 1000 + 1;
    readTags(reader, first, first + 999);
  }
  await until('both are full', () => reader.gateway.streams.counters.cutOff === 2);
  await reader.gateway.stop();
  await until('all are gone', () => reader.gateway.streams.counters.open === 0);
});
