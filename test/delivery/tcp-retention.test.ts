/** Retention on a tcpip-server endpoint when its client leaves with a goodbye. */
import t from 'tap';
import { until } from '../gateway/reader.js';
import { type LineClient, lineClient, offer, range, tcpEndpoint } from './harness.js';
import { Flow } from './killing.js';

t.test('retention enabled: events of the absence come after the reconnect', async (t) => {
  const { endpoint, port } = await tcpEndpoint(t, { retention: { throttle: 0 } });
  const first = await lineClient(endpoint, port);
  offer(endpoint, 10);
  await until('the first ten', () => first.arrivals.numbers.length === 10);
  // What was written just before the end counts as not arrived, so it comes once more.
  await until('they count as sent', () => endpoint.counters.sent === 10);
  await first.end();
  await until('it is known', () => !endpoint.state.connected);
  offer(endpoint, 20);
  t.equal(endpoint.counters.retained, 20);
  const second = await lineClient(endpoint, port);
  await until('the absence', () => second.arrivals.numbers.length === 20);
  t.same(second.arrivals.numbers, range(11, 30));
  t.same(second.arrivals.overflows, []);
  t.equal(endpoint.counters.dropped, 0);
});

t.test(
  'retention disabled: only events after the reconnect come, and the loss is reported',
  async (t) => {
    const { endpoint, port } = await tcpEndpoint(t, { retention: { maxNumEvents: 0 } });
    const first = await lineClient(endpoint, port);
    offer(endpoint, 10);
    await until('they count as sent', () => endpoint.counters.sent === 10);
    await first.end();
    await until('it is known', () => !endpoint.state.connected);
    offer(endpoint, 20);
    t.match(endpoint.counters, { retained: 0, dropped: 20 });
    const second = await lineClient(endpoint, port);
    offer(endpoint, 5);
    await until('the later ones', () => second.arrivals.numbers.length === 5);
    t.same(second.arrivals.numbers, range(31, 35));
    t.match(second.arrivals.overflows, [{ firstEventNum: 11, lastEventNum: 30, lost: 20 }]);
  },
);

t.test('what was written right before the client went comes once more', async (t) => {
  const { endpoint, port } = await tcpEndpoint(t, { retention: { throttle: 0 } });
  const first = await lineClient(endpoint, port);
  offer(endpoint, 10);
  await until('they came', () => first.arrivals.numbers.length === 10);
  first.socket.destroy();
  await until('it is known', () => endpoint.counters.retried === 10);
  t.match(endpoint.counters, { sent: 0, retained: 10 });
  const second = await lineClient(endpoint, port);
  await until('once more', () => second.arrivals.numbers.length === 10);
  t.same(second.arrivals.numbers, range(1, 10));
});

t.test('the same events go to each client, and late ones get what comes after them', async (t) => {
  const { endpoint, port } = await tcpEndpoint(t);
  const one = await lineClient(endpoint, port);
  offer(endpoint, 3);
  await until('the first', () => one.arrivals.numbers.length === 3);
  const other = await lineClient(endpoint, port);
  await until('both are in', () => other.socket.readyState === 'open');
  await new Promise((resolve) => setTimeout(resolve, 50));
  offer(endpoint, 3);
  await until('the others', () => one.arrivals.numbers.length === 6);
  await until('the others', () => other.arrivals.numbers.length === 3);
  t.same(other.arrivals.numbers, range(4, 6));
});

t.test('batches are arrays, a line each', async (t) => {
  const batching = { reportingInterval: 100, maxPayloadSizePerReport: 1000 };
  const { endpoint, port } = await tcpEndpoint(t, { batching });
  const client = await lineClient(endpoint, port);
  offer(endpoint, 20);
  await until('all', () => client.arrivals.numbers.length === 20);
  t.ok(client.arrivals.messages.every(({ bytes, isArray }) => isArray && bytes <= 1000));
  t.ok(client.arrivals.messages.length < 10);
  t.same(client.arrivals.numbers, range(1, 20));
});

const reported = ({ arrivals }: LineClient) =>
  arrivals.overflows.reduce((sum, { lost }) => sum + lost, 0);

for (const [how, leave] of [
  ['ends its side and reads on', (client: LineClient) => client.end()],
  ['closes its connection', (client: LineClient) => client.socket.destroy()],
] as const) {
  t.test(
    `retention disabled: a client that ${how} is told of what it missed, and no more`,
    async (t) => {
      const { endpoint, port } = await tcpEndpoint(t, { retention: { maxNumEvents: 0 } });
      const first = await lineClient(endpoint, port);
      offer(endpoint, 300);
      await until('they came', () => first.arrivals.numbers.length === 300);
      await leave(first);
      await until('it is known', () => !endpoint.state.connected);
      offer(endpoint, 20);
      const second = await lineClient(endpoint, port);
      offer(endpoint, 5);
      await until('the later ones', () => second.arrivals.distinct.has(325));
      await until('all is accounted for', () => endpoint.counters.retained === 0);
      t.match(second.arrivals.overflows, [{ firstEventNum: 301, lastEventNum: 320, lost: 20 }]);
      t.match(endpoint.counters, { sent: 305, dropped: 20 });
    },
  );
}

t.test('retention disabled: losses reported and losses add up while events flow', async (t) => {
  const { endpoint, port } = await tcpEndpoint(t, { retention: { maxNumEvents: 0 } });
  const flow = new Flow([endpoint]);
  t.teardown(() => flow.stop());
  const clients: LineClient[] = [];
  for (let i = 0; i < 5; i++) {
    const client = await lineClient(endpoint, port);
    clients.push(client);
    await until('events came', () => client.arrivals.numbers.length > 200);
    await client.end();
    await until('it is known', () => !endpoint.state.connected);
  }
  const last = flow.stop();
  const witness = await lineClient(endpoint, port);
  offer(endpoint, 1);
  clients.push(witness);
  await until('the last one', () => witness.arrivals.distinct.has(last + 1));
  await until('all is accounted for', () => endpoint.counters.retained === 0);
  const came = new Set(clients.flatMap(({ arrivals }) => arrivals.numbers));
  const lost = clients.reduce((sum, client) => sum + reported(client), 0);
  t.equal(lost, last + 1 - came.size, `${lost} of ${last + 1}`);
  t.match(endpoint.counters, { sent: came.size, dropped: lost });
});

t.test('what a client had not read when it broke off goes to the one beside it', async (t) => {
  const { endpoint, port } = await tcpEndpoint(t, { retention: { maxNumEvents: 0 } });
  const first = await lineClient(endpoint, port);
  // Its system takes them, its program does not read them.
  first.socket.pause();
  offer(endpoint, 2000);
  await until('they are written', () => endpoint.isSending);
  const second = await lineClient(endpoint, port);
  await until('it is in', () => second.socket.readyState === 'open');
  await new Promise((resolve) => setTimeout(resolve, 20));
  first.socket.resetAndDestroy();
  await until('they come once more', () => second.arrivals.distinct.size === 2000);
  offer(endpoint, 5);
  await until('the later ones', () => second.arrivals.distinct.has(2005));
  t.same(second.arrivals.overflows, []);
  await until('all is accounted for', () => endpoint.counters.retained === 0);
  t.match(endpoint.counters, { sent: 2005, dropped: 0, retried: 2000 });
});
