/**
 * Event numbers go on over every kind of restart, with the settings as they come: no number stands
 * for two events, and what was lost is told first.
 */
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { NUMBERS_FILE, NumberLedger } from '../../src/reader-gateway/delivery/numbers/ledger.js';
import { silent } from '../delivery/harness.js';
import { FakeRadio, read } from './fake-radio.js';
import { GatewayProcess } from './gateway-process.js';
import { Listener, PostTarget, radioTarget, TestBroker, temporaryFolder, until } from './reader.js';
import { bearer, HttpStream, idOf } from './streams.js';

// biome-ignore lint/suspicious/noExplicitAny: tests look into events
type Event = any;

/** How the gateway ends and comes back. @returns The process that serves afterwards. */
type Restart = (
  gateway: GatewayProcess,
  again: () => Promise<GatewayProcess>,
) => Promise<GatewayProcess>;

const RESTARTS: Record<string, Restart> = {
  'a stop in good order': async (gateway, again) => {
    gateway.child.kill('SIGTERM');
    await once(gateway.child, 'exit');
    return again();
  },
  SIGKILL: async (gateway, again) => {
    gateway.child.kill('SIGKILL');
    await once(gateway.child, 'exit');
    return again();
  },
  'a reboot of the emulated device': async (gateway) => {
    await gateway.call('PUT', 'reboot', {});
    await gateway.ready(2);
    return gateway;
  },
};

for (const [name, restart] of Object.entries(RESTARTS)) {
  t.test(name, (t) => numbersGoOn(t, restart));
}

async function numbersGoOn(t: Test, restart: Restart): Promise<void> {
  const broker = new TestBroker();
  await broker.start();
  const listener = new Listener(broker.url, 'test/#');
  await until('the listener is there', () => listener.subscribed);
  const target = new PostTarget();
  await target.start();
  const stateDir = temporaryFolder(t);
  const radio = new FakeRadio();
  await radio.listen(radioTarget(stateDir));
  const again = async () => {
    const gateway = await GatewayProcess.start(t, stateDir);
    t.teardown(() => gateway.child.kill('SIGKILL'));
    return gateway;
  };
  t.teardown(async () => {
    listener.client.end(true);
    target.stop();
    await broker.stop();
    radio.kill();
  });
  const publishes = (topic: string): Event[] =>
    listener.on(`test/${topic}`).flatMap(({ json }) => [json].flat());
  const posts = (): Event[] => target.posts.flatMap(({ json }) => [json].flat());
  const readTags = (first: number, last: number) => {
    const ids = Array.from({ length: last + 1 - first }, (_, index) => idOf(first + index));
    radio.send(...ids.map((id) => read(id)));
  };

  const first = await again();
  await first.ready(1);
  const answer = await first.call('PUT', 'config', configOf(broker.port, target.url));
  t.equal(answer.status, 200, answer.text);
  await first.call('PUT', 'start');
  await until('the gateway listens to the radio', () => radio.subscribers === 1);
  readTags(1, 30);
  await until('all came by MQTT', () => publishes('tags').length === 30);
  await until('all came by HTTP', () => posts().length === 30);

  // From here on nobody takes anything: 20 events wait.
  await broker.stop();
  target.status = 503;
  await until(
    'the broker is missed',
    async () => (await counters(first)).tags?.state !== 'connected',
  );
  readTags(31, 50);
  const waiting = async () => {
    const { tags, posts: http } = await counters(first);
    return tags?.retained === 20 && http?.retained === 20;
  };
  await until('20 wait', waiting);
  // While events flow the file counts numbers ahead.
  await until('the file has them', () => keptOf(t, stateDir).every((next) => next === 51));
  const last = publishes('management').at(-1)?.eventNum;
  t.ok(last >= 1, 'there are management events');

  const second = await restart(first, again);
  await second.ready(second === first ? 2 : 1);
  target.status = 200;
  // Who listens is there first, or what waited is lost on it.
  broker.onlyTests = true;
  await broker.start();
  await until('the listener is back', () => listener.subscribed);
  broker.onlyTests = false;
  if (!radio.isReading) await second.call('PUT', 'start');
  await until('the gateway listens again', () => radio.subscribers === 1);
  readTags(51, 55);

  const loss = { firstEventNum: 31, lastEventNum: 50, lost: 20, eventNum: 50 };
  const numbers = (events: Event[]) => events.map(({ data }) => data.eventNum);
  for (const [way, events] of [
    ['MQTT', () => publishes('tags')],
    ['HTTP', posts],
  ] as const) {
    await until(`the new ones came by ${way}`, () => numbers(events()).includes(55));
    const after = events().slice(30);
    t.match(after[0], { type: 'OVERFLOW', data: loss }, `${way}: the loss is told first`);
    t.same(numbers(after), [50, 51, 52, 53, 54, 55], `${way}: numbers go on`);
    t.same(
      events().filter(
        ({ type, data }) => type !== 'OVERFLOW' && data.idHex !== idOf(data.eventNum),
      ),
      [],
      `${way}: each number stands for one read`,
    );
  }
  const { tags, posts: http } = await counters(second);
  t.equal(tags?.dropped, 20, 'counted as dropped: MQTT');
  t.equal(http?.dropped, 20, 'counted as dropped: HTTP');
  const stream = await HttpStream.open(
    t,
    { gateway: second },
    '/cloud/events?after=10',
    bearer(await second.token()),
  );
  await until('the stream goes on', () => stream.numbers.includes(55));
  t.match(stream.events[0], {
    type: 'OVERFLOW',
    data: { eventNum: 50, firstEventNum: 11, lastEventNum: 50, lost: 40 },
  });
  t.same(stream.numbers, [50, 51, 52, 53, 54, 55]);
  await until('a management event', () => publishes('management').at(-1)?.eventNum > last);
  const managementNumbers = publishes('management')
    .filter(({ type }) => type !== 'OVERFLOW')
    .map(({ eventNum }) => eventNum);
  t.equal(new Set(managementNumbers).size, managementNumbers.length, 'management events too');
  second.child.kill('SIGTERM');
  await once(second.child, 'exit');
}

/** The next numbers of the data connections, as a copy of the file has them. */
function keptOf(t: Test, stateDir: string): number[] {
  const copy = temporaryFolder(t);
  copyFileSync(join(stateDir, NUMBERS_FILE), join(copy, NUMBERS_FILE));
  const ledger = NumberLedger.open(copy, silent);
  const next = ['tags', 'posts'].map((name) => ledger.numbers('data', name).next);
  ledger.close();
  return next;
}

function configOf(brokerPort: number, url: string): object {
  const mqtt = (name: string) => ({
    type: 'mqtt',
    name,
    options: {
      endpoint: { hostName: '127.0.0.1', port: brokerPort, protocol: 'tcp' },
      enableSecurity: false,
      publishTopic: [`test/${name}`],
    },
  });
  const post = {
    type: 'httpPost',
    name: 'posts',
    options: { URL: url, security: { authenticationType: 'NONE' } },
  };
  const data = { event: { connections: [mqtt('tags'), post] } };
  const management = { event: { connections: [mqtt('management')] } };
  return { 'READER-GATEWAY': { endpointConfig: { data, management } } };
}

interface Counters {
  state: string;
  retained: number;
  dropped: number;
}

/** Of the data connections, by their names. */
async function counters(gateway: GatewayProcess): Promise<Record<string, Counters>> {
  const { json } = await gateway.call('GET', 'status');
  return Object.fromEntries(
    json.interfaceConnectionStatus.data.map((one: Event) => [
      one.description,
      {
        state: one.connectionStatus,
        retained: one.numDataMessagesRetained,
        dropped: one.numDataMessagesDropped,
      },
    ]),
  );
}
