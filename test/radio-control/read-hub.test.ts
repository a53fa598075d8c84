import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { ReadBatch } from '../../src/contract/messages.js';
import { counterToNumber } from '../../src/contract/time.js';
import { ReadsEncoder } from '../../src/radio-control/reports/encode-reads.js';
import { type HubOptions, ReadHub } from '../../src/radio-control/reports/read-hub.js';
import { makeRecord } from './make-record.js';

function hubWith(options: Partial<HubOptions> = {}) {
  let unblocked = 0;
  const hub = new ReadHub({ lossless: false, onUnblocked: () => unblocked++, ...options });
  const encoder = new ReadsEncoder();
  const publish = (reads: number) => {
    for (let i = 0; i < reads; i++) encoder.add(makeRecord(), 0, 1, -5000);
    hub.publish(encoder.finish());
  };
  return { hub, publish, unblocked: () => unblocked };
}

/** A transport that takes what it gets, or nothing more while it is full. */
function transport() {
  const batches: { first: number; dropped: number; reads: number }[] = [];
  const state = { full: false, batches, numbers: [] as number[] };
  return {
    state,
    send(bytes: Buffer): boolean {
      const batch = ReadBatch.decode(bytes);
      const first = counterToNumber(batch.firstSequence);
      batches.push({ first, dropped: counterToNumber(batch.dropped), reads: batch.reads.length });
      for (let i = 0; i < batch.reads.length; i++) state.numbers.push(first + i);
      return !state.full;
    },
  };
}

t.test('an idle stream delivers the first read at once', async (t) => {
  const { hub, publish } = hubWith();
  const client = transport();
  hub.subscribe(client, 1000);
  publish(1);
  t.strictSame(client.state.batches, [{ first: 1, dropped: 0, reads: 1 }]);
});

t.test('a busy stream coalesces reads up to the latency', async (t) => {
  const { hub, publish } = hubWith();
  const client = transport();
  hub.subscribe(client, 40);
  publish(1);
  for (let i = 0; i < 10; i++) publish(3);
  t.equal(client.state.batches.length, 1, 'nothing more at once');
  await sleep(80);
  t.strictSame(client.state.batches[1], { first: 2, dropped: 0, reads: 30 });
});

t.test('a full message does not wait for the latency', async (t) => {
  const { hub, publish } = hubWith();
  const client = transport();
  hub.subscribe(client, 1000);
  publish(1);
  for (let i = 0; i < 4; i++) publish(256);
  t.strictSame(client.state.batches[1], { first: 2, dropped: 0, reads: 1024 });
});

t.test('a slow subscriber loses its oldest reads, and they are counted exactly', async (t) => {
  const { hub, publish } = hubWith({ limit: 100 });
  const slow = transport();
  const quick = transport();
  slow.state.full = true;
  const subscriber = hub.subscribe(slow, 1);
  hub.subscribe(quick, 1);
  for (let i = 0; i < 50; i++) publish(10);
  t.equal(subscriber.dropped, 490 - 100, 'all but the first message and the last hundred');
  slow.state.full = false;
  subscriber.resume();
  const last = slow.state.batches.at(-1);
  t.strictSame(last, { first: 401, dropped: 390, reads: 100 });
  await sleep(20);
  t.equal(quick.state.numbers.length, 500, 'the quick one got all');
  t.strictSame(
    quick.state.numbers,
    Array.from({ length: 500 }, (_, i) => i + 1),
  );
});

t.test('a lossless hub blocks its source instead of dropping', async (t) => {
  const { hub, publish, unblocked } = hubWith({ lossless: true, limit: 100 });
  const slow = transport();
  slow.state.full = true;
  const subscriber = hub.subscribe(slow, 1);
  publish(10);
  for (let i = 0; i < 10; i++) publish(10);
  t.equal(hub.blocked, true);
  t.equal(unblocked(), 0);
  slow.state.full = false;
  subscriber.resume();
  t.equal(hub.blocked, false);
  t.equal(unblocked(), 1);
  t.equal(subscriber.dropped, 0);
  t.equal(slow.state.numbers.length, 110);
});

t.test('a blocking subscriber that goes away frees the source', async (t) => {
  const { hub, publish, unblocked } = hubWith({ lossless: true, limit: 10 });
  const stuck = transport();
  stuck.state.full = true;
  const subscriber = hub.subscribe(stuck, 1);
  publish(1);
  publish(10);
  t.equal(hub.blocked, true);
  subscriber.close();
  t.equal(hub.blocked, false);
  t.equal(unblocked(), 1);
  t.equal(hub.subscriberCount, 0);
});

t.test('sequence numbers go on across subscribers and have no gap', async (t) => {
  const { hub, publish } = hubWith();
  publish(5);
  const late = transport();
  hub.subscribe(late, 1);
  publish(2);
  t.strictSame(late.state.batches, [{ first: 6, dropped: 0, reads: 2 }]);
});
