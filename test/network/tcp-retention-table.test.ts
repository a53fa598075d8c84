/**
 * The retention table of a TCPIP endpoint (interface: Retention behaviour on a TCPIP endpoint),
 * row by row, with a cable that is cut. The keep-alive time is 4 s instead of two minutes or more.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { tcpEndpoint } from '../delivery/harness.js';
import { arrivalsIn, Flow } from '../delivery/killing.js';
import { temporaryFolder, until } from '../gateway/reader.js';
import { Cable, READER_ADDRESS } from './cable.js';

const KEEP_ALIVE_MS = 4000;
const PER_SECOND = 500;
const CLIENT = fileURLToPath(new URL('./line-client.js', import.meta.url));

async function setUp(t: Test, retention: object) {
  const cable = await Cable.lay(t);
  const { endpoint, port } = await tcpEndpoint(t, {
    retention,
    keepAlive: { totalMs: KEEP_ALIVE_MS },
  });
  const file = join(temporaryFolder(t), 'lines');
  const client = cable.run(CLIENT, [READER_ADDRESS, String(port), file]);
  await once(client, 'message');
  const connect = async () => {
    client.send('connect');
    await until('it is in', () => endpoint.state.connected);
  };
  await connect();
  const flow = new Flow([endpoint], PER_SECOND);
  t.teardown(() => flow.stop());
  await sleep(500);
  const arrivals = () => arrivalsIn(file, 'line');
  /** Ends the flow and waits until each of its events is accounted for. */
  const finish = async () => {
    const last = flow.stop();
    await until('nothing waits', () => endpoint.counters.retained === 0, 15_000);
    await until('all is accounted for', () => arrivals().unaccounted(last).length === 0, 5000);
    return { last, arrived: arrivals() };
  };
  return { cable, endpoint, client, connect, flow, finish };
}

for (const [name, retention] of [
  ['enabled', { throttle: 0 }],
  ['disabled', { maxNumEvents: 0 }],
] as const) {
  t.test(`shorter than the keep-alive time, retention ${name}: nothing is lost`, async (t) => {
    const { cable, endpoint, finish } = await setUp(t, retention);
    cable.cut();
    await sleep(KEEP_ALIVE_MS / 3);
    t.ok(endpoint.state.connected, 'nobody has noticed');
    cable.mend();
    const { last, arrived } = await finish();
    t.equal(arrived.distinct.size, last);
    t.same(arrived.overflows, []);
    t.equal(endpoint.counters.dropped, 0);
  });
}

t.test('longer than it, retention enabled: closed, and all comes after a reconnect', async (t) => {
  const { cable, endpoint, connect, finish } = await setUp(t, { throttle: 0 });
  cable.cut();
  const cutAt = Date.now();
  await until('it is noticed', () => !endpoint.state.connected, 10_000);
  const took = Date.now() - cutAt;
  t.ok(took >= KEEP_ALIVE_MS && took < KEEP_ALIVE_MS + 3000, `after ${took} ms`);
  t.match(endpoint.state.error, /has not answered for 4 s/);
  await sleep(500);
  cable.mend();
  await connect();
  const { last, arrived } = await finish();
  t.equal(arrived.distinct.size, last, 'also what was on its way into the cut');
  t.same(arrived.overflows, []);
});

t.test(
  'longer than it, retention disabled: only what comes after, the loss is reported',
  async (t) => {
    const { cable, endpoint, connect, flow, finish } = await setUp(t, { maxNumEvents: 0 });
    cable.cut();
    const atCut = flow.offered;
    await until('it is noticed', () => !endpoint.state.connected, 10_000);
    await sleep(500);
    const before = flow.offered;
    cable.mend();
    await connect();
    await sleep(500);
    const { last, arrived } = await finish();
    t.ok(arrived.distinct.has(last));
    t.notOk(arrived.distinct.has(before - 10), 'nothing of the outage');
    const reported = arrived.overflows.reduce((sum, { lost }) => sum + lost, 0);
    t.ok(reported >= before - atCut, `${reported} losses are reported`);
    t.equal(endpoint.counters.dropped, reported);
  },
);
