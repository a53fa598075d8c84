/** Resuming from events that are gone, and from events of before a restart of the reader. */
import t from 'tap';
import { until } from './reader.js';
import {
  bearer,
  HttpStream,
  openWebSocket,
  readManyTags,
  readTags,
  serverSentEvents,
  streamingReader,
} from './streams.js';

t.test('a reader that has forgotten its first events', async (t) => {
  const { reader, token } = await streamingReader(t);
  const follower = await HttpStream.open(t, reader, '/cloud/events', bearer(token));
  let taken = 0;
  follower.response.on('data', (part: string) => {
    taken += part.split('\n').length - 1;
  });
  const last = 10_400;
  await readManyTags(reader, 1, last, () => taken);
  t.same(
    follower.numbers,
    Array.from({ length: last }, (_, index) => index + 1),
  );

  const lost = (after: number) => ({
    data: { eventNum: 400, firstEventNum: after + 1, lastEventNum: 400, lost: 400 - after },
    timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d{4}$/,
    type: 'OVERFLOW',
  });
  const all = Array.from({ length: 10_001 }, (_, index) => 400 + index);

  t.test('NDJSON says first how many are lost', async (t) => {
    const stream = await HttpStream.open(t, reader, '/cloud/events?after=7', bearer(token));
    await until(
      'all of the rest',
      () => stream.text.endsWith('\n') && stream.numbers.at(-1) === last,
    );
    t.match(stream.events[0], lost(7));
    t.same(stream.numbers, all);
  });

  t.test('SSE says it with the number of the last that is lost', async (t) => {
    const headers = { accept: 'text/event-stream', ...bearer(token), 'last-event-id': '399' };
    const stream = await HttpStream.open(t, reader, '/cloud/events', headers);
    const events = () => serverSentEvents(stream.text);
    await until('all of the rest', () => events().at(-1)?.id === String(last));
    t.match(events()[0], { id: '400', data: lost(399) });
    t.same(
      events().map(({ id }) => Number(id)),
      all,
    );
  });

  t.test('WebSocket says it in a message', async (t) => {
    const client = await openWebSocket(t, reader, '/ws?after=0', bearer(token));
    await until('all of the rest', () => client.numbers.at(-1) === last);
    t.match(client.events[0], lost(0));
    t.same(client.numbers, all);
  });

  t.test('nothing is lost after the oldest that is kept', async (t) => {
    const stream = await HttpStream.open(t, reader, '/cloud/events?after=400', bearer(token));
    await until(
      'all of the rest',
      () => stream.text.endsWith('\n') && stream.numbers.at(-1) === last,
    );
    t.same(stream.numbers, all.slice(1));
  });
});

t.test('a number beyond the newest is one of before a restart: all there is comes', async (t) => {
  const { reader, token } = await streamingReader(t);
  const early = await HttpStream.open(t, reader, '/cloud/events?after=812', bearer(token));
  readTags(reader, 1, 3);
  const late = await HttpStream.open(t, reader, '/cloud/events?after=812', bearer(token));
  const client = await openWebSocket(t, reader, '/ws?after=4', bearer(token));
  for (const stream of [early, late, client]) {
    await until('three events', () => stream.numbers.length === 3);
    t.same(stream.numbers, [1, 2, 3]);
  }
});
