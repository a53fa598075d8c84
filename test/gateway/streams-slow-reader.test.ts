/** A reader that does not keep up is cut off with a reason; all others go on. */
import t from 'tap';
import { until } from './reader.js';
import {
  bearer,
  HttpStream,
  openWebSocket,
  readManyTags,
  serverSentEvents,
  streamingReader,
} from './streams.js';

const REASON = /^too slow: event \d+ is not kept any more$/;

t.test('three that take nothing, and one that keeps up', async (t) => {
  const { reader, token } = await streamingReader(t);
  const { streams } = reader.gateway;
  const headers = bearer(token);
  const sse = { ...headers, accept: 'text/event-stream' };
  const slowLines = await HttpStream.open(t, reader, '/cloud/events', headers);
  const slowSse = await HttpStream.open(t, reader, '/cloud/events', sse);
  const slowSocket = await openWebSocket(t, reader, '/ws', headers);
  slowLines.response.pause();
  slowSse.response.pause();
  slowSocket.socket.pause();

  const quick = await HttpStream.open(t, reader, '/cloud/events', headers);
  let taken = 0;
  quick.response.on('data', (part: string) => {
    taken += part.split('\n').length - 1;
  });
  let last = 0;
  while (streams.counters.cutOff < 3) {
    if (last > 300_000) throw new Error('nobody is cut off');
    await readManyTags(reader, last + 1, last + 5000, () => taken);
    last += 5000;
  }
  t.same(quick.numbers.length, last, 'the quick one has everything');
  t.notOk(quick.hasEnded);

  slowLines.response.resume();
  await until('its stream ends', () => slowLines.hasEnded);
  const lines = slowLines.events;
  t.match(lines.pop(), { type: 'CLOSED', data: { reason: REASON }, timestamp: String });
  t.same(
    lines.map(({ data }) => data.eventNum),
    Array.from({ length: lines.length }, (_, index) => index + 1),
    'all until then came, and in order',
  );

  slowSse.response.resume();
  await until('its stream ends', () => slowSse.hasEnded);
  const events = serverSentEvents(slowSse.text);
  const closed = events.pop();
  t.match(closed, { event: 'closed', data: { type: 'CLOSED', data: { reason: REASON } } });
  t.equal(closed?.id, undefined, 'the next request goes on after the last event');
  t.ok(events.every(({ id }, index) => Number(id) === index + 1));

  slowSocket.socket.resume();
  await until('its socket is closed', () => slowSocket.closed !== undefined);
  t.match(slowSocket.closed, { code: 1013, reason: REASON });

  await until('only the quick one is left', () => streams.counters.open === 1);
  t.equal(streams.counters.cutOff, 3);
  await readManyTags(reader, last + 1, last + 10, () => taken);
});
