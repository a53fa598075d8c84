/** GET /cloud/events as server-sent events: an EventSource that connects again loses nothing. */
import t from 'tap';
import { send, until } from './reader.js';
import {
  bearer,
  HttpStream,
  idOf,
  readManyTags,
  readTags,
  serverSentEvents,
  streamingReader,
} from './streams.js';

const SSE = { accept: 'text/event-stream' };

t.test('one reader', async (t) => {
  const { reader, token } = await streamingReader(t);
  const ids = (stream: HttpStream) => serverSentEvents(stream.text).map(({ id }) => Number(id));

  t.test('events have their number as id, and come to every stream', async (t) => {
    const path = `/cloud/events?access_token=${token}`;
    const streams = await Promise.all([1, 2, 3].map(() => HttpStream.open(t, reader, path, SSE)));
    readTags(reader, 1, 3);
    for (const stream of streams) {
      await until('three events', () => ids(stream).length === 3);
      t.equal(stream.response.headers['content-type'], 'text/event-stream');
      t.equal(stream.response.headers['cache-control'], 'no-store');
      t.match(
        stream.text,
        /^id: 1\ndata: \{.*\}\n\nid: 2\ndata: \{.*\}\n\nid: 3\ndata: \{.*\}\n\n$/,
      );
      t.match(serverSentEvents(stream.text)[2]?.data, { data: { eventNum: 3, idHex: idOf(3) } });
    }
  });

  t.test('it goes on after Last-Event-ID, whatever the address said at first', async (t) => {
    const headers = { ...SSE, ...bearer(token), 'last-event-id': '2' };
    const stream = await HttpStream.open(t, reader, '/cloud/events?after=0', headers);
    await until('an event', () => ids(stream).length === 1);
    readTags(reader, 4, 4);
    await until('two events', () => ids(stream).length === 2);
    t.same(ids(stream), [3, 4]);
  });

  t.test('it goes on after after=N too', async (t) => {
    const headers = { ...SSE, ...bearer(token) };
    const stream = await HttpStream.open(t, reader, '/cloud/events?after=3', headers);
    await until('an event', () => ids(stream).length === 1);
    t.same(ids(stream), [4]);
  });

  t.test('many events keep their ids', async (t) => {
    const headers = { ...SSE, ...bearer(token) };
    const stream = await HttpStream.open(t, reader, '/cloud/events', headers);
    await readManyTags(reader, 5, 3000, () => ids(stream).at(-1) ?? 0);
    const events = serverSentEvents(stream.text);
    t.equal(events.length, 2996);
    t.ok(events.every(({ id, data }) => Number(id) === data.data.eventNum));
    t.ok(events.every(({ data }) => data.data.idHex === idOf(data.data.eventNum)));
  });

  t.test('a wrong Last-Event-ID is refused and the header is named', async (t) => {
    const headers = { ...SSE, ...bearer(token), 'last-event-id': 'x' };
    const answer = await send(reader.gateway.restUrl, 'GET', '/cloud/events', { headers });
    t.match(answer, { status: 400, json: { code: 1, message: /^Last-Event-ID: / } });
  });

  t.test('any other Accept gives lines of JSON', async (t) => {
    for (const accept of ['*/*', 'application/json', 'application/x-ndjson, text/event-stream']) {
      const headers = { accept, ...bearer(token) };
      const stream = await HttpStream.open(t, reader, '/cloud/events', headers);
      t.equal(stream.response.headers['content-type'], 'application/x-ndjson', accept);
    }
  });
});
