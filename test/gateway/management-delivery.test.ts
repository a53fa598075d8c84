/** Management events arrive at their endpoints as tag events do: numbered, kept, batched, counted. */
import { once } from 'node:events';
import t from 'tap';
import { WebSocket } from 'ws';
import { freePort } from '../../bench/delivery/free-port.js';
import { LineClient } from '../delivery/harness.js';
import { read } from './fake-radio.js';
import { FakeLines, NOTHING } from './management.js';
import { Listener, PostTarget, TestBroker, TestReader, until } from './reader.js';

const level = (port: number) => ({ kind: 'gpi', port, level: 'HIGH' }) as const;

t.test('with a reader', async (t) => {
  const broker = new TestBroker();
  await broker.start();
  const listener = new Listener(broker.url, 'plant/#');
  await until('the listener is there', () => listener.subscribed);
  const lines = new FakeLines();
  const reader = await TestReader.start(t, { lines });
  t.teardown(async () => {
    await reader.gateway.stop();
    listener.client.end(true);
    await broker.stop();
  });
  const events = async (connections: object[], data: object[] = []) => {
    const { status, text } = await reader.call('PUT', 'config', {
      'READER-GATEWAY': {
        managementEventConfig: { ...NOTHING, gpiEvents: true },
        endpointConfig: {
          data: { event: { connections: data } },
          management: { event: { connections } },
        },
      },
    });
    t.equal(status, 200, text);
  };
  const state = (name: string) =>
    reader.endpoints.find((one) => one.interface === 'managementEvent' && one.name === name);
  const connected = (name: string) =>
    until(`${name} is connected`, () => state(name)?.state === 'connected');
  const mqtt = (more: object = {}) => ({
    type: 'mqtt',
    name: 'plant',
    options: {
      endpoint: { hostName: '127.0.0.1', port: broker.port },
      publishTopic: ['plant/events'],
      additional: { qos: 1, reconnectDelay: 0.05, reconnectDelayMax: 0.05 },
    },
    ...more,
  });
  /** The broker is there again, and the listener before the reader. */
  const back = async () => {
    broker.onlyTests = true;
    await broker.start();
    await until('the listener is back', () => listener.subscribed);
    broker.onlyTests = false;
  };
  const numbers = () => listener.on('plant/events').map(({ json }) => json.eventNum);

  await t.test('over MQTT, and across an outage of the broker', async (t) => {
    await events([mqtt()]);
    await connected('plant');
    lines.move(level(1));
    await until('the first', () => numbers().length === 1);
    t.match(listener.on('plant/events')[0]?.json, {
      component: 'RC',
      data: { pin: 1, state: 'HIGH' },
      eventNum: 1,
      timestamp: /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}[+-]\d{4}$/,
      type: 'gpi',
    });
    await broker.stop();
    await until('the outage is seen', () => state('plant')?.state === 'disconnected');
    for (let port = 1; port <= 4; port++) lines.move(level(port));
    await until('four are kept', () => state('plant')?.retained === 4);
    await back();
    await until('all have come', () => new Set(numbers()).size === 5, 15_000);
    t.same([...new Set(numbers())], [1, 2, 3, 4, 5], 'in order, without gaps');
    await until('counted', () => state('plant')?.sent === 5);
    const { json } = await reader.call('GET', 'status');
    t.match(json.interfaceConnectionStatus.management, [
      { description: 'plant', interface: 'mqtt', numDataMessagesTxed: 5 },
    ]);
    t.same(json.interfaceConnectionStatus.data, [], 'it is no data connection');
    const { text } = await reader.call('GET', 'metrics');
    t.match(
      text,
      'singulate_endpoint_events_total{interface="managementEvent",name="plant",type="mqtt",result="sent"} 5\n',
    );
  });

  await t.test('what does not fit the retention is told by an OVERFLOW event', async (t) => {
    await events([mqtt({ additionalOptions: { retention: { maxNumEvents: 2 } } })]);
    await connected('plant');
    await broker.stop();
    await until('the outage is seen', () => state('plant')?.state === 'disconnected');
    for (let port = 1; port <= 4; port++) lines.move(level(port));
    await until('two are lost', () => state('plant')?.dropped === 2);
    listener.messages.length = 0;
    await back();
    await until('the others have come', () => numbers().length >= 3, 15_000);
    const overflow = listener.on('plant/events').find(({ json }) => json.type === 'OVERFLOW');
    t.match(overflow?.json, {
      component: 'RG',
      data: { firstEventNum: 6, lastEventNum: 7, lost: 2 },
      eventNum: 7,
      type: 'OVERFLOW',
    });
    t.same(
      listener
        .on('plant/events')
        .filter(({ json }) => json.type === 'gpi')
        .map(({ json }) => json.eventNum),
      [8, 9],
    );
  });

  await t.test('over HTTP in batches, and again after errors of the server', async (t) => {
    const target = new PostTarget();
    await target.start();
    t.teardown(() => target.stop());
    target.status = 503;
    await events([
      {
        type: 'httpPost',
        name: 'office',
        options: { URL: target.url },
        additionalOptions: { batching: { reportingInterval: 50 } },
      },
    ]);
    await until('it is there', () => state('office') !== undefined);
    for (let port = 1; port <= 3; port++) lines.move(level(port));
    await until('they are kept', () => (state('office')?.retried ?? 0) > 0);
    target.status = 200;
    // biome-ignore lint/suspicious/noExplicitAny: what was posted
    const posted = () => target.posts.flatMap(({ json }) => json as any[]);
    await until('they have come', () => posted().length === 3, 15_000);
    t.same(
      posted().map(({ eventNum, data, type }) => [eventNum, data.pin, type]),
      [
        [1, 1, 'gpi'],
        [2, 2, 'gpi'],
        [3, 3, 'gpi'],
      ],
    );
  });

  await t.test('over TCP, and a port of a data connection is refused', async (t) => {
    const port = await freePort();
    const tcp = (name: string) => ({
      type: 'tcpip-server',
      name,
      options: { tcpipport: String(port), enableSecurity: false },
    });
    await events([tcp('line')]);
    const client = await LineClient.connect(port);
    t.teardown(() => client.socket.destroy());
    await connected('line');
    const lineOf = once(client.socket, 'data');
    lines.move(level(2));
    const [chunk] = await lineOf;
    t.match(JSON.parse(String(chunk)), { eventNum: 1, type: 'gpi', data: { pin: 2 } });
    const answer = await reader.call('PUT', 'config', {
      'READER-GATEWAY': { endpointConfig: { data: { event: { connections: [tcp('tags')] } } } },
    });
    t.equal(answer.status, 400);
    t.match(
      answer.json.message,
      `READER-GATEWAY.endpointConfig.management.event.connections[0].options.tcpipport: ${port} is the port of READER-GATEWAY.endpointConfig.data.event.connections[0]`,
    );
  });

  await t.test('a WebSocket carries tag events and management events, each numbered', async (t) => {
    const socketOf = (name: string) => ({ type: 'WEBSOCKET', name });
    await events([socketOf('events')], [socketOf('tags')]);
    await reader.call('PUT', 'start');
    const url = `${reader.gateway.restUrl.replace('https', 'wss')}/ws`;
    const socket = new WebSocket(url, { rejectUnauthorized: false });
    t.teardown(() => socket.terminate());
    const types: [string, number][] = [];
    socket.on('message', (text) => {
      for (const line of String(text).split('\n')) {
        if (line === '') continue;
        const event = JSON.parse(line);
        types.push([event.type, event.eventNum ?? event.data.eventNum]);
      }
    });
    await connected('events');
    await reader.dataConnected();
    for (let port = 1; port <= 3; port++) {
      lines.move(level(port));
      reader.radio.send(read(`0${port}`));
      await until('both', () => types.length === 2 * port);
    }
    t.same(types.sort(), [
      ['SIMPLE', 1],
      ['SIMPLE', 2],
      ['SIMPLE', 3],
      ['gpi', 1],
      ['gpi', 2],
      ['gpi', 3],
    ]);
    // Each endpoint knows by its own pongs what has arrived.
    await until('both are counted', () => reader.endpoints.every(({ sent }) => sent === 3));
    await events([], [socketOf('tags')]);
    await once(socket, 'close');
  });
});

t.test('a reader with a broker of its own sends events there under m-evt', async (t) => {
  const broker = new TestBroker();
  await broker.start();
  const listener = new Listener(broker.url, 'singulate/m-evt');
  await until('the listener is there', () => listener.subscribed);
  const reader = await TestReader.start(t, { broker });
  t.teardown(async () => {
    await reader.gateway.stop();
    listener.client.end(true);
    await broker.stop();
  });
  // A busy machine has alarms to tell as well.
  const radio = () => listener.messages.filter(({ json }) => json.type === 'radio');
  await until('the radio is told', () => radio().length === 1);
  await reader.call('PUT', 'start');
  await reader.call('PUT', 'stop');
  await until('reading is told', () => radio().length === 3);
  t.same(
    radio().map(({ json }) => [json.component, json.data]),
    [
      ['RC', { event: 'connected' }],
      ['RC', { event: 'readingStarted' }],
      ['RC', { event: 'readingStopped', reason: 'stopped' }],
    ],
  );
});
