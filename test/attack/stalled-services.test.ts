/**
 * Few bytes without a token that make the gateway ask the radio much at once: both services write
 * to each other, and reading goes on.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { READING } from '../campaign/reader.js';
import { until } from '../gateway/reader.js';
import { bearer, HttpStream } from '../gateway/streams.js';
import { RawClient } from '../security/raw.js';
import { startGateway } from './running-gateway.js';

const TIMES = 100;
const REQUESTS = 'GET /cloud/openapi.json HTTP/1.1\r\nHost:x\r\n\r\n'.repeat(400);
/** Below 2 s on a quiet machine of two processors. */
const LONGEST_SILENCE_MS = 5000;

t.test('400 requests on one connection, again and again, are no silence of reads', async (t) => {
  const gateway = await startGateway(t);
  t.equal((await gateway.call('PUT', 'mode', READING)).status, 200);
  const token = bearer(await gateway.token());
  const stream = await HttpStream.open(t, { gateway }, '/cloud/events', token);
  let heardAt = performance.now();
  let longestMs = 0;
  stream.response.on('data', () => {
    longestMs = Math.max(longestMs, performance.now() - heardAt);
    heardAt = performance.now();
  });
  t.equal((await gateway.call('PUT', 'start', {})).status, 200);
  await until('events', () => stream.text.length > 10_000);
  longestMs = 0;
  const began = performance.now();
  const before = stream.text.length;
  for (let i = 0; i < TIMES; i++) {
    const client = await RawClient.openAt(t, gateway.restUrl);
    client.send(REQUESTS);
    await sleep(200);
    client.socket.destroy();
    await sleep(200);
  }
  longestMs = Math.max(longestMs, performance.now() - heardAt);
  const seconds = (performance.now() - began) / 1000;
  const status = await gateway.call('GET', 'status');
  t.match(status.json, { radioConnection: 'connected', radioActivitiy: 'active' });
  t.match(await gateway.call('PUT', 'stop', {}), { status: 200 });
  const lines = stream.text.slice(before).split('\n').length;
  t.comment(
    `longest silence ${Math.round(longestMs)} ms at ${Math.round(lines / seconds)} reads/s`,
  );
  t.ok(longestMs < LONGEST_SILENCE_MS, `a silence of ${longestMs} ms`);
  const [first = 0] = stream.numbers;
  const gaps = stream.numbers.filter((number, index) => number !== first + index);
  t.same(gaps, [], 'every number came, in order');
});
