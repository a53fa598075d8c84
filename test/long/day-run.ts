/**
 * A day of virtual operation: 300 events a second, an outage every hour, the default retention.
 * In a process of its own: the hooks of a test runner cost more than all of it. argv: HOURS.
 * Prints one line of JSON.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Endpoint } from '../../src/reader-gateway/delivery/endpoint.js';
import { splitText } from '../../src/reader-gateway/delivery/event-bytes.js';
import { batchingRule, retentionRule } from '../../src/reader-gateway/delivery/rules.js';
import { HttpPostTransport } from '../../src/reader-gateway/delivery/transports/http-post.js';
import { Certificates } from '../../src/reader-gateway/tls/certificates.js';
import { createLogger } from '../../src/shared/log.js';
import { VirtualClock } from '../delivery/virtual-clock.js';

const HOURS = Number(process.argv[2]);
const PER_SECOND = 300;
const STEP_S = 2;
const EVENTS = HOURS * 3600 * PER_SECOND;
const EVENT = splitText(
  '{"data":{"antenna":1,"eventNum":',
  ',"format":"epc","idHex":"e28011700000020a1b2c3d4e","peakRssi":-51},"timestamp":"2026-01-01T00:00:00.000+0000","type":"SIMPLE"}',
);

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/**
 * The least of some looks: memory of buffers is given back by other threads, and blocks are
 * packed by others too, which on a busy machine takes its time.
 */
async function usedBytes(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let look = 0; look < 5; look++) {
    collect();
    await sleep(20);
    const { heapUsed, external } = process.memoryUsage();
    least = Math.min(least, heapUsed + external);
  }
  return least;
}

const script = fileURLToPath(new URL('./counting-server.js', import.meta.url));
const server = fork(script, [String(EVENTS)], { execArgv: [] });
const ask = async (message: string) => {
  const answer = once(server, 'message');
  server.send(message);
  return (await answer)[0];
};

const { port } = await ask('up');
const clock = new VirtualClock();
const url = `http://127.0.0.1:${port}/`;
const endpoint = new Endpoint(
  {
    name: 'day',
    batching: batchingRule('httpPost', undefined, undefined),
    retention: retentionRule(undefined, undefined),
  },
  new HttpPostTransport({ URL: url }, new Certificates('/nowhere'), clock),
  createLogger('test', { fd: 2, level: 'silent' }),
  clock,
  () => {},
);
endpoint.open();

/** Real sockets take real time, in which the virtual one stands still. */
async function advance(ms: number): Promise<void> {
  await clock.advance(ms);
  while (endpoint.isSending) await immediate();
}

const usedAfterHour: number[] = [];
for (let hour = 0; hour < HOURS; hour++) {
  // From half a minute to a quarter of an hour; the long ones are more than is retained.
  const outageSteps = 15 + ((hour * 173) % 436);
  for (let at = 0; at < 3600 / STEP_S; at++) {
    if (at === 600) await ask('down');
    if (at === 600 + outageSteps) await ask('up');
    for (let i = 0; i < PER_SECOND * STEP_S; i++) endpoint.offer(EVENT);
    await advance(STEP_S * 1000);
  }
  usedAfterHour.push(await usedBytes());
}
// The rest of the backlog leaves at 100 events a second.
while (endpoint.counters.retained > 0) await advance(60_000);
await advance(5000);

const account = await ask('account');
console.log(
  JSON.stringify({ events: EVENTS, ...account, ...endpoint.counters, used: usedAfterHour }),
);
server.disconnect();
process.exit(0);
