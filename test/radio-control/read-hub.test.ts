import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { until } from '../gateway/reader.js';
import { hubWith, limits, plain, transport } from './hub-client.js';

t.test('the first message comes at once and says where the stream is', async (t) => {
  const { hub, publish } = hubWith();
  publish(5);
  const client = transport();
  hub.subscribe(client, plain);
  t.equal(client.messages.length, 1);
  t.equal(client.messages[0]?.logId, hub.log.id);
  t.equal(Number(client.messages[0]?.firstSequence), 6);
  t.equal(client.messages[0]?.reads.length, 0);
});

t.test('a client that says nothing of a start gets no message without reads', async (t) => {
  const { hub, publish } = hubWith();
  const client = transport();
  hub.subscribe(client, { ...plain, announced: false });
  t.equal(client.messages.length, 0);
  publish(1);
  t.equal(client.messages[0]?.logId, hub.log.id);
});

t.test('an idle stream delivers the first read at once', async (t) => {
  const { hub, publish } = hubWith();
  const client = transport();
  hub.subscribe(client, { ...plain, latencyMs: 1000 });
  publish(1);
  t.strictSame(client.batches, [{ first: 1, dropped: 0, reads: 1 }]);
});

t.test('a busy stream coalesces reads up to the latency', async (t) => {
  const { hub, publish } = hubWith();
  const client = transport();
  hub.subscribe(client, { ...plain, latencyMs: 40 });
  publish(1);
  for (let i = 0; i < 10; i++) publish(3);
  t.equal(client.batches.length, 1, 'nothing more at once');
  await sleep(80);
  t.strictSame(client.batches[1], { first: 2, dropped: 0, reads: 30 });
});

t.test('a full message does not wait for the latency', async (t) => {
  const { hub, publish } = hubWith();
  const client = transport();
  hub.subscribe(client, { ...plain, latencyMs: 1000 });
  publish(1);
  for (let i = 0; i < 4; i++) publish(256);
  t.strictSame(client.batches[1], { first: 2, dropped: 0, reads: 1024 });
});

t.test('no message has more reads than the client asked for', async (t) => {
  const { hub, publish } = hubWith();
  const client = transport();
  hub.subscribe(client, { ...plain, maxReads: 7 });
  publish(20);
  t.strictSame(
    client.batches.map(({ reads }) => reads),
    [7, 7, 6],
  );
  t.strictSame(
    client.numbers,
    Array.from({ length: 20 }, (_, i) => i + 1),
  );
});

t.test('a slow stream loses its oldest reads, counted exactly; others lose none', async (t) => {
  const { hub, publish } = hubWith(limits(100));
  const slow = transport();
  const quick = transport();
  slow.state.full = true;
  const stream = hub.subscribe(slow, plain);
  hub.subscribe(quick, plain);
  for (let i = 0; i < 50; i++) {
    publish(10);
    await sleep(2);
  }
  t.equal(stream.dropped, 400, 'all but the last hundred');
  slow.state.full = false;
  stream.resume();
  t.strictSame(slow.batches, [{ first: 401, dropped: 400, reads: 100 }]);
  await until('all reads', () => quick.numbers.length === 500);
  t.strictSame(
    quick.numbers,
    Array.from({ length: 500 }, (_, i) => i + 1),
  );
});

t.test('a stream that blocks holds the source back, and loses nothing', async (t) => {
  const { hub, publish, unblocked } = hubWith(limits(100));
  const slow = transport();
  slow.state.full = true;
  const stream = hub.subscribe(slow, { ...plain, blocks: true });
  for (let i = 0; i < 11; i++) publish(10);
  t.equal(hub.blocked, true);
  t.equal(unblocked(), 0);
  slow.state.full = false;
  stream.resume();
  t.equal(hub.blocked, false);
  t.equal(unblocked(), 1);
  t.equal(stream.dropped, 0);
  t.equal(slow.numbers.length, 110);
});

t.test('a stream that blocks and goes away frees the source', async (t) => {
  const { hub, publish, unblocked } = hubWith(limits(10));
  const stuck = transport();
  stuck.state.full = true;
  const stream = hub.subscribe(stuck, { ...plain, blocks: true });
  publish(11);
  t.equal(hub.blocked, true);
  stream.close();
  t.equal(hub.blocked, false);
  t.equal(unblocked(), 1);
  t.equal(hub.streamCount, 0);
});

t.test('a stream that blocks for too long is cut off, and the source goes on', async (t) => {
  const { hub, publish, unblocked } = hubWith(limits(10));
  const stuck = transport();
  stuck.state.full = true;
  hub.subscribe(stuck, { ...plain, blocks: true, maxBlockMs: 20 });
  publish(11);
  await until('the end', () => stuck.state.ended !== '');
  t.match(stuck.state.ended, /^cut off: it took nothing for 20 ms/);
  t.equal(hub.blocked, false);
  t.equal(unblocked(), 1);
  t.equal(hub.cutOff, 1);
});

t.test('a stream that takes reads in time is not cut off', async (t) => {
  const { hub, publish } = hubWith(limits(10));
  const client = transport();
  client.state.full = true;
  const stream = hub.subscribe(client, { ...plain, blocks: true, maxBlockMs: 50 });
  publish(11);
  client.state.full = false;
  stream.resume();
  await sleep(100);
  t.equal(client.state.ended, '');
  t.equal(client.numbers.length, 11);
});

t.test('at the end each stream gets what is there, and is told why', async (t) => {
  const { hub, publish } = hubWith();
  const client = transport();
  hub.subscribe(client, { ...plain, latencyMs: 1000 });
  publish(1);
  publish(4);
  t.equal(hub.end('the service stops'), 1);
  t.equal(client.numbers.length, 5);
  t.equal(client.state.ended, 'stopping: the service stops');
  t.equal(hub.streamCount, 0);
});
