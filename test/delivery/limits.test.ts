/** The rules and defaults of the interface's Limits, on real sockets and a clock that is moved. */
import t from 'tap';
import { HttpPostTransport } from '../../src/reader-gateway/delivery/transports/http-post.js';
import { keepAliveOf } from '../../src/reader-gateway/delivery/transports/keep-alive.js';
import { PostTarget, until } from '../gateway/reader.js';
import {
  type Arrivals,
  endpointOf,
  event,
  lineClient,
  NO_CERTIFICATES,
  offer,
  range,
  tcpEndpoint,
} from './harness.js';
import { settle, VirtualClock } from './virtual-clock.js';

const MINUTE = 60_000;

async function postEndpoint(t: Parameters<typeof endpointOf>[0], parts: object = {}) {
  const clock = new VirtualClock();
  const target = new PostTarget();
  await target.start();
  t.teardown(() => target.stop());
  const transport = new HttpPostTransport({ URL: target.url }, NO_CERTIFICATES, clock);
  const endpoint = endpointOf(t, 'httpPost', transport, { clock, ...parts });
  return { clock, target, endpoint };
}

const eventsOf = (post?: { json: unknown }) => [post?.json ?? []].flat().length;

t.test('batching of HTTP POST: by default 2000 ms and 256000 bytes', async (t) => {
  const { clock, target, endpoint } = await postEndpoint(t);
  offer(endpoint, 3);
  await clock.advance(1999);
  t.equal(target.posts.length, 0);
  await clock.advance(1);
  await until('one post', () => target.posts.length === 1);
  t.equal(eventsOf(target.posts[0]), 3);

  // What is offered before the answer is here counts as a backlog, and is throttled.
  await until('it is answered', () => endpoint.state.connected);
  offer(endpoint, 3000);
  await until('full posts, without waiting', () => target.posts.length >= 2);
  for (const { headers } of target.posts) t.ok(Number(headers['content-length']) <= 256_000);
  t.ok(Number(target.posts[1]?.headers['content-length']) > 255_000);
});

t.test('rule 1: batching is off with both values 0, or -1', async (t) => {
  for (const off of [0, -1]) {
    const batching = { reportingInterval: off, maxPayloadSizePerReport: off };
    const { target, endpoint } = await postEndpoint(t, { batching });
    offer(endpoint, 3);
    await until('each for itself', () => target.posts.length === 3);
    t.notOk(target.posts.some(({ json }) => Array.isArray(json)));
  }
});

t.test('a size such as 2KB is a limit; an event above it goes alone', async (t) => {
  const batching = { reportingInterval: 50, maxPayloadSizePerReport: '2KB' };
  const { clock, target, endpoint } = await postEndpoint(t, { batching });
  offer(endpoint, 5);
  endpoint.offer(event('ab'.repeat(2000)));
  offer(endpoint, 5);
  const sizes = () => target.posts.map(({ headers }) => Number(headers['content-length']));
  for (let i = 0; i < 10; i++) {
    await clock.advance(50);
    await settle();
  }
  await until('all', () => target.posts.flatMap(({ json }) => json).length === 11);
  const large = sizes().filter((bytes) => bytes > 2000);
  t.equal(large.length, 1);
  const lone = target.posts.find(({ headers }) => Number(headers['content-length']) > 2000);
  t.equal(eventsOf(lone), 1);
});

t.test('batching of TCP is off by default: an event a line, at once', async (t) => {
  const clock = new VirtualClock();
  const { endpoint, port } = await tcpEndpoint(t, { clock });
  const client = await lineClient(endpoint, port);
  offer(endpoint, 2);
  await until('both', () => client.arrivals.numbers.length === 2);
  t.notOk(client.arrivals.messages.some(({ isArray }) => isArray));
});

t.test('rule 3: retention is on by default: 150000 events, the oldest go first', async (t) => {
  const clock = new VirtualClock();
  const { endpoint } = await tcpEndpoint(t, { clock });
  offer(endpoint, 150_000);
  t.match(endpoint.counters, { retained: 150_000, dropped: 0 });
  offer(endpoint, 10);
  t.match(endpoint.counters, { retained: 150_000, dropped: 10 });
  t.ok(endpoint.memoryBytes < 64e6, `${endpoint.memoryBytes} bytes`);
});

t.test('the default throttle: 100 retained events a second, live ones beside them', async (t) => {
  const clock = new VirtualClock();
  const { endpoint, port } = await tcpEndpoint(t, { clock });
  offer(endpoint, 1000);
  await clock.advance(5000);
  const client = await lineClient(endpoint, port);
  const { arrivals } = client;
  await clock.advance(1000);
  await until('a second of it', () => arrivals.numbers.length >= 98);
  t.ok(arrivals.numbers.length <= 102, `${arrivals.numbers.length} in a second`);
  offer(endpoint, 5);
  await until('the live ones at once', () => arrivals.distinct.has(1005));
  t.ok(arrivals.numbers.length < 120);
  await clock.advance(9100);
  await until('all', () => arrivals.distinct.size === 1005);
  const backlog = arrivals.numbers.filter((number) => number <= 1000);
  t.same(backlog, range(1, 1000), 'the backlog in its order');
});

t.test('rule 4: whichever of age and number is reached first', async (t) => {
  const clock = new VirtualClock();
  const retention = { maxNumEvents: 100, maxEventRetentionTimeInMin: 10, throttle: 0 };
  const { endpoint, port } = await tcpEndpoint(t, { clock, retention });
  offer(endpoint, 150);
  t.match(endpoint.counters, { retained: 100, dropped: 50 }, 'the number');
  await clock.advance(6 * MINUTE);
  offer(endpoint, 30);
  await clock.advance(5 * MINUTE);
  const client = await lineClient(endpoint, port);
  await until('those of the last ten minutes', () => client.arrivals.numbers.length === 30);
  t.same(client.arrivals.numbers, range(151, 180), 'the age');
  t.match(client.arrivals.overflows, [{ firstEventNum: 1, lastEventNum: 150, lost: 150 }]);
  t.equal(endpoint.counters.dropped, 150);
});

t.test('rule 5: with maxNumEvents 0 nothing is retained, whatever the other values', async (t) => {
  const clock = new VirtualClock();
  const retention = { maxNumEvents: 0, maxEventRetentionTimeInMin: 10, throttle: 5 };
  const { endpoint, port } = await tcpEndpoint(t, { clock, retention });
  offer(endpoint, 50);
  t.match(endpoint.counters, { retained: 0, dropped: 50 });
  const client = await lineClient(endpoint, port);
  offer(endpoint, 500);
  await until('no throttle', () => client.arrivals.numbers.length === 500);
  t.match(client.arrivals.overflows, [{ firstEventNum: 1, lastEventNum: 50, lost: 50 }]);
});

t.test('rule 6: with maxEventRetentionTimeInMin 0 (or -1) age does not matter', async (t) => {
  for (const maxEventRetentionTimeInMin of [0, -1]) {
    const clock = new VirtualClock();
    const retention = { maxNumEvents: 100, maxEventRetentionTimeInMin, throttle: 0 };
    const { endpoint, port } = await tcpEndpoint(t, { clock, retention });
    offer(endpoint, 10);
    await clock.advance(365 * 24 * 60 * MINUTE);
    const client = await lineClient(endpoint, port);
    await until('a year old', () => client.arrivals.numbers.length === 10);
    t.same(client.arrivals.overflows, []);
  }
});

t.test('rule 8: keepAlive + keepAliveInterval * keepAliveCount', async (t) => {
  const total = (additional?: object) =>
    keepAliveOf({ tcpipport: '1', ...(additional ? { additional } : {}) }).totalMs;
  t.equal(total(), (7200 + 60 * 10) * 1000, 'the defaults');
  t.equal(total({ keepAlive: 60, keepAliveInterval: 60, keepAliveCount: 1 }), 2 * MINUTE);
  t.equal(total({ keepAlive: 14400, keepAliveInterval: 120, keepAliveCount: 20 }), 16_800_000);
});

t.test('an overflow says how many were lost, from which to which number and time', async (t) => {
  const clock = new VirtualClock();
  const { endpoint, port } = await tcpEndpoint(t, {
    clock,
    retention: { maxNumEvents: 5, throttle: 0 },
    batching: { reportingInterval: 10, maxPayloadSizePerReport: 10_000 },
  });
  for (let i = 0; i < 12; i++) {
    offer(endpoint, 1);
    await clock.advance(1000);
  }
  const client = await lineClient(endpoint, port);
  await clock.advance(20);
  await until('what was kept', () => client.arrivals.numbers.length === 5);
  const { arrivals } = client as { arrivals: Arrivals };
  t.match(arrivals.overflows, [{ firstEventNum: 1, lastEventNum: 7, lost: 7, eventNum: 7 }]);
  const [reported] = arrivals.overflows;
  const time = (text = '') => new Date(text.replace(/(\d\d)$/, ':$1')).getTime();
  t.equal(time(reported?.lastTimestamp) - time(reported?.firstTimestamp), 6000);
  t.equal(arrivals.messages[0]?.isArray, true, 'in an array, as batches are');
  t.same(arrivals.unaccounted(12), []);
});
