import t from 'tap';
import { hubWith, limits, plain, transport } from './hub-client.js';

t.test('sequence numbers go on across streams and have no gap', async (t) => {
  const { hub, publish } = hubWith();
  publish(5);
  const late = transport();
  hub.subscribe(late, plain);
  publish(2);
  t.strictSame(late.batches, [{ first: 6, dropped: 0, reads: 2 }]);
});

t.test('a stream may begin with the oldest report that is kept', async (t) => {
  const { hub, publish } = hubWith(limits(10));
  for (let i = 0; i < 6; i++) publish(4);
  const client = transport();
  hub.subscribe(client, { ...plain, start: { from: 'oldest' } });
  t.equal(client.numbers[0], hub.log.oldestSequence);
  t.equal(client.numbers.at(-1), 24);
  t.equal(client.batches[0]?.dropped, 0, 'nothing that it was promised is lost');
});

t.test('a stream goes on after the report that came last, wherever that lies', async (t) => {
  const { hub, publish } = hubWith();
  publish(10);
  publish(10);
  for (const sequence of [0, 3, 10, 15, 20]) {
    const client = transport();
    hub.subscribe(client, { ...plain, start: { from: 'after', logId: hub.log.id, sequence } });
    t.strictSame(
      client.numbers,
      Array.from({ length: 20 - sequence }, (_, i) => sequence + 1 + i),
      `after ${sequence}`,
    );
  }
});

t.test('what is not kept any more is counted as dropped', async (t) => {
  const { hub, publish } = hubWith(limits(10));
  for (let i = 0; i < 6; i++) publish(5);
  const client = transport();
  const start = { from: 'after', logId: hub.log.id, sequence: 3 } as const;
  hub.subscribe(client, { ...plain, start });
  t.strictSame(client.batches, [{ first: 21, dropped: 17, reads: 10 }]);
});

t.test('of another log than this one the stream begins with the oldest', async (t) => {
  const { hub, publish } = hubWith();
  publish(3);
  const client = transport();
  const start = { from: 'after', logId: 'of a service before', sequence: 5000 } as const;
  hub.subscribe(client, { ...plain, start });
  t.strictSame(client.batches, [{ first: 1, dropped: 0, reads: 3 }]);
  t.equal(client.messages[0]?.logId, hub.log.id);
});

t.test('a report that is yet to come is no place to begin at', async (t) => {
  const { hub, publish } = hubWith();
  publish(3);
  const start = { from: 'after', logId: hub.log.id, sequence: 4 } as const;
  t.throws(() => hub.subscribe(transport(), { ...plain, start }), {
    message: 'start.after_sequence: 4 given; allowed: at most 3, the last one',
  });
  t.equal(hub.streamCount, 0);
});
