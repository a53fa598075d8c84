/** Answers of a web server other than success: what is tried again, when, and what is dropped. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { HttpPostOptions } from '../../src/reader-gateway/api/connection.js';
import { assertValid } from '../../src/reader-gateway/api/validate.js';
import { HttpPostTransport } from '../../src/reader-gateway/delivery/transports/http-post.js';
import { until } from '../gateway/reader.js';
import { Arrivals, endpointOf, event, NO_CERTIFICATES, offer, range } from './harness.js';
import { VirtualClock } from './virtual-clock.js';

type Additional = NonNullable<HttpPostOptions['additional']>;
/** Undefined: it is taken. */
type Rule = (text: string) => { status: number; headers?: Record<string, string> } | undefined;

const POISON = 'deadbeef';
const refusesPoison =
  (status: number): Rule =>
  (text) =>
    text.includes(POISON) ? { status } : undefined;

/** A server with a rule that may change, and an unbatched endpoint that posts to it. */
async function setUp(t: Test, rule: Rule, additional?: Additional, retention?: object) {
  const came = { tries: 0, texts: [] as string[], arrivals: new Arrivals(), rule };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      came.tries++;
      came.texts.push(text);
      const refusal = came.rule(text);
      if (refusal === undefined) came.arrivals.message(text);
      response.writeHead(refusal?.status ?? 200, refusal?.headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const clock = new VirtualClock();
  const options = { URL, ...(additional ? { additional } : {}) };
  const transport = new HttpPostTransport(options, NO_CERTIFICATES, clock);
  const batching = { reportingInterval: 0, maxPayloadSizePerReport: 0 };
  const parts = { clock, batching, retention: { throttle: 0, ...retention } };
  const endpoint = endpointOf(t, 'httpPost', transport, parts);
  /** Lets time pass until it is so. @returns how much, in steps. */
  const passes = async (what: string, condition: () => boolean, stepMs = 1000) => {
    let passedMs = 0;
    await until(what, async () => {
      if (condition()) return true;
      await clock.advance(stepMs);
      passedMs += stepMs;
      return condition();
    });
    return passedMs;
  };
  /** The answer of the last try has come: what follows is a matter of the clock. */
  const failed = (error: string) =>
    until('the answer is here', () => endpoint.state.error === error && clock.timers > 0);
  return { came, clock, endpoint, passes, failed };
}

t.test(
  'a message that is refused is dropped after three tries, and reported; the rest arrives',
  async (t) => {
    for (const status of [400, 409, 413, 415, 422]) {
      const { came, endpoint, passes } = await setUp(t, refusesPoison(status));
      offer(endpoint, 2);
      endpoint.offer(event(POISON));
      offer(endpoint, 3);
      const { arrivals } = came;
      await passes(
        'the others arrive, and the loss is reported',
        () => arrivals.numbers.length === 5 && arrivals.overflows.length === 1,
      );
      t.same(arrivals.numbers, [1, 2, 4, 5, 6]);
      t.match(arrivals.overflows, [{ firstEventNum: 3, lastEventNum: 3, lost: 1 }]);
      await until('all is settled', () => endpoint.counters.retained === 0);
      t.match(endpoint.counters, { sent: 5, dropped: 1, retried: 2 });
      t.equal(came.texts.filter((text) => text.includes(POISON)).length, 3, `tries at ${status}`);
      t.ok(endpoint.state.connected);
    }
  },
);

t.test(
  'all other answers are about the server: the message is tried until it is taken',
  async (t) => {
    for (const status of [300, 401, 403, 404, 407, 408, 425, 429, 500, 503]) {
      const { came, endpoint, passes } = await setUp(t, () => ({ status }));
      offer(endpoint, 3);
      await passes('it is tried', () => came.tries >= 6);
      t.match(endpoint.counters, { sent: 0, dropped: 0, retained: 3 }, `${status}`);
      t.same(endpoint.state, { connected: false, error: `HTTP status ${status}` });
      came.rule = () => undefined;
      await passes('all arrive', () => came.arrivals.numbers.length === 3);
      t.same(came.arrivals.numbers, range(1, 3));
      t.same(came.arrivals.overflows, []);
    }
  },
);

t.test('maxTries is the limit of every message, whatever the reason; 0 is none', async (t) => {
  const busy = await setUp(t, refusesPoison(503), { maxTries: 2 });
  busy.endpoint.offer(event(POISON));
  offer(busy.endpoint, 1);
  await busy.passes('the other arrives', () => busy.came.arrivals.numbers.length === 1);
  t.equal(busy.came.texts.filter((text) => text.includes(POISON)).length, 2);
  await until('it counts', () => busy.endpoint.counters.dropped === 1);

  const strict = await setUp(t, refusesPoison(400), { maxTries: 0 });
  strict.endpoint.offer(event(POISON));
  offer(strict.endpoint, 1);
  await strict.passes('it is tried again and again', () => strict.came.tries >= 8);
  t.match(strict.endpoint.counters, { sent: 0, dropped: 0, retained: 2 });
});

t.test('only refusals count as refusals: trouble of the server before them does not', async (t) => {
  const answers = [503, 503, 503, 400, 502, 400];
  const { came, endpoint, passes } = await setUp(t, () => {
    const status = answers.shift();
    return status === undefined ? undefined : { status };
  });
  offer(endpoint, 1);
  await passes('it arrives', () => came.arrivals.numbers.length === 1);
  await until('it counts', () => endpoint.counters.sent === 1);
  t.equal(endpoint.counters.dropped, 0);
});

t.test('an overflow that is refused does not come for ever', async (t) => {
  const { came, endpoint, passes } = await setUp(
    t,
    (text) => (text.includes('OVERFLOW') ? { status: 422 } : undefined),
    undefined,
    { maxNumEvents: 2 },
  );
  offer(endpoint, 5);
  await passes('what was kept arrives', () => came.arrivals.numbers.length === 2);
  const overflows = () => came.texts.filter((text) => text.includes('OVERFLOW')).length;
  t.equal(overflows(), 3);
  for (let i = 0; i < 5; i++) {
    offer(endpoint, 1);
    await passes('the next arrives', () => came.arrivals.numbers.length === 3 + i, 1500);
  }
  t.equal(overflows(), 3);
  await until('all is settled', () => endpoint.counters.sent === 7);
  t.equal(endpoint.counters.dropped, 3);
});

t.test('reconnectDelay is the first wait, reconnectDelayMax the longest', async (t) => {
  const { came, clock, endpoint, passes, failed } = await setUp(t, () => ({ status: 500 }), {
    reconnectDelay: 100,
    reconnectDelayMax: 120,
  });
  offer(endpoint, 1);
  await until('the first try', () => came.tries === 1);
  await failed('HTTP status 500');
  // Waits vary between half of it and the whole.
  await clock.advance(49_000);
  await sleep(20);
  t.equal(came.tries, 1);
  await passes('the second', () => came.tries === 2, 5000);
  for (let tries = 3; tries < 9; tries++) {
    await failed('HTTP status 500');
    const waited = await passes('the next', () => came.tries === tries, 5000);
    t.ok(waited >= 50_000 && waited <= 130_000, `${waited} ms`);
  }
});

t.test('a server that says when to come again is heard, within the longest wait', async (t) => {
  const when = (headers: Record<string, string>, status = 503) =>
    setUp(t, () => ({ status, headers }));
  const inSeconds = await when({ 'retry-after': '7' });
  const date = new Date(new VirtualClock().now() + 9000).toUTCString();
  const asDate = await when({ 'retry-after': date }, 429);
  const tooLong = await when({ 'retry-after': '3600' });
  const notHeard = await when({ 'retry-after': '25' }, 500);
  for (const [{ came, endpoint, clock, passes }, leastMs, mostMs] of [
    [inSeconds, 6900, 8000],
    [asDate, 8900, 10_000],
    [tooLong, 29_900, 31_000],
    [notHeard, 250, 1000],
  ] as const) {
    offer(endpoint, 1);
    await until('the first try', () => came.tries === 1);
    await until('its answer is here', () => endpoint.state.error !== '');
    await clock.advance(leastMs - 100);
    await sleep(20);
    if (leastMs > 1000) t.equal(came.tries, 1, `not within ${leastMs - 100} ms`);
    const waited = leastMs - 100 + (await passes('the next', () => came.tries > 1, 100));
    t.ok(waited <= mostMs, `${waited} ms`);
  }
});

t.test(
  'the first try after an outage comes within a quarter of the time that it took',
  async (t) => {
    const { random } = Math;
    t.teardown(() => {
      Math.random = random;
    });
    // The longest of the waits that vary.
    Math.random = () => 0.999;
    const { came, clock, endpoint, passes, failed } = await setUp(t, () => ({ status: 503 }));
    offer(endpoint, 1);
    await until('the first try', () => came.tries === 1);
    await failed('HTTP status 503');
    for (let ms = 0; ms < 4300; ms += 100) {
      const { tries } = came;
      await clock.advance(100);
      // Each try has its answer before the clock goes on.
      await sleep(2);
      if (came.tries > tries) await failed('HTTP status 503');
    }
    came.rule = () => undefined;
    const waited = await passes('it arrives', () => came.arrivals.numbers.length === 1, 100);
    t.ok(waited <= 1800, `${waited} ms after an outage of 4.3 s`);
  },
);

t.test('limits of the settings', async (t) => {
  const check = (additional: object) => () =>
    assertValid(HttpPostOptions, { URL: 'http://sink.example/', additional });
  t.doesNotThrow(check({ reconnectDelay: 0.1, reconnectDelayMax: 86_400, maxTries: 0 }));
  t.throws(check({ reconnectDelay: 86_401 }), /reconnectDelay/);
  t.throws(check({ reconnectDelayMax: -1 }), /reconnectDelayMax/);
  t.throws(check({ maxTries: 1_000_001 }), /maxTries/);
  t.throws(check({ maxTries: 1.5 }), /maxTries/);
});
