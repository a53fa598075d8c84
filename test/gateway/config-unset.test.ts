/** null takes a part of the configuration back: what held before it was set holds again. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { Listener, TestBroker, TestReader, until } from './reader.js';

const POST = { type: 'httpPost', name: 'post', options: { URL: 'http://127.0.0.1:9/' } };

t.test('one reader', async (t) => {
  const broker = new TestBroker();
  await broker.start();
  const listener = new Listener(broker.url, '#');
  await until('the listener is there', () => listener.subscribed);
  const reader = await TestReader.start(t, { broker });
  t.teardown(async () => {
    await reader.gateway.stop();
    listener.client.end(true);
    await broker.stop();
  });
  const get = async () => (await reader.call('GET', 'config')).json;
  const put = async (change: unknown) => {
    const { status, text } = await reader.call('PUT', 'config', change);
    t.equal(status, 200, text);
  };
  const factory = await get();
  const path = (section: string, kind: string, connections: unknown) => ({
    'READER-GATEWAY': { endpointConfig: { [section]: { [kind]: { connections } } } },
  });
  /** Something in every part, that no reader comes with. */
  const everything = {
    xml: '<a/>',
    'GPIO-LED': {
      GPODefaults: { 1: 'HIGH' },
      GPIDebounce: { 1: 77 },
      RADIO_START: [{ type: 'GPO', pin: 1, state: 'LOW' }],
    },
    'READER-GATEWAY': {
      batching: { reportingInterval: 100 },
      retention: { throttle: 7 },
      managementEventConfig: { gpiEvents: false },
      endpointConfig: { data: { event: { connections: [POST] } } },
    },
  };

  t.test('each part alone, and all others stay', async (t) => {
    await put(everything);
    const set = await get();
    const gateway = set['READER-GATEWAY'];
    const factoryGateway = factory['READER-GATEWAY'];
    const { GPODefaults, RADIO_START } = everything['GPIO-LED'];
    await put({ xml: null });
    t.same(await get(), { ...set, xml: '' });
    await put({ 'GPIO-LED': { GPIDebounce: null } });
    t.same((await get())['GPIO-LED'], { GPODefaults, RADIO_START });
    await put({ 'READER-GATEWAY': { batching: null } });
    const { batching: _batching, ...unbatched } = gateway;
    t.same((await get())['READER-GATEWAY'], unbatched, 'as if it had never been set');
    await put({ 'READER-GATEWAY': { retention: null } });
    t.same((await get())['READER-GATEWAY'].retention, factoryGateway.retention);
    await put({ 'READER-GATEWAY': { managementEventConfig: null } });
    t.equal((await get())['READER-GATEWAY'].managementEventConfig.gpiEvents, true);
    await put(path('data', 'event', null));
    t.same((await get())['READER-GATEWAY'].endpointConfig, factoryGateway.endpointConfig);
    await put({ 'GPIO-LED': null });
    t.same(await get(), factory);
    const stored = JSON.parse(await readFile(join(reader.stateDir, 'config.json'), 'utf8'));
    t.notMatch(JSON.stringify(stored), /null/);
  });

  t.test('what is above it takes every part below it back', async (t) => {
    const events = { connections: [POST] };
    const changes = [
      { 'READER-GATEWAY': null, xml: null, 'GPIO-LED': null },
      {
        'READER-GATEWAY': {
          batching: null,
          retention: null,
          managementEventConfig: null,
          endpointConfig: null,
        },
        xml: null,
        'GPIO-LED': { GPODefaults: null, GPIDebounce: null, RADIO_START: null },
      },
    ];
    for (const change of changes) {
      await put(everything);
      await put({ 'READER-GATEWAY': { endpointConfig: { management: { event: events } } } });
      await put(change);
      t.same(await get(), factory);
    }
    for (const endpointConfig of [
      { data: { event: null } },
      { data: { event: { connections: null } } },
      { data: null },
      null,
    ]) {
      await put(everything);
      const answer = await reader.call('PUT', 'cloudConfig', { endpointConfig });
      t.match(answer, { status: 200, text: '' });
      const { data } = (await get())['READER-GATEWAY'].endpointConfig;
      t.same(data, factory['READER-GATEWAY'].endpointConfig.data);
    }
    await put({ 'READER-GATEWAY': null, xml: null, 'GPIO-LED': null });
  });

  t.test('batching and retention of a connection', async (t) => {
    const withOptions = (additionalOptions: unknown) => [{ ...POST, additionalOptions }];
    await put(path('data', 'event', withOptions({ batching: { reportingInterval: 9 } })));
    for (const [given, shown] of [
      [
        { batching: null, retention: { throttle: 5 } },
        [{ ...POST, additionalOptions: { retention: { throttle: 5 } } }],
      ],
      [
        { batching: { reportingInterval: 9 }, retention: null },
        withOptions({ batching: { reportingInterval: 9 } }),
      ],
      [null, [POST]],
    ]) {
      await put(path('data', 'event', withOptions(given)));
      t.same((await get())['READER-GATEWAY'].endpointConfig.data.event.connections, shown);
    }
    await put({ 'READER-GATEWAY': { endpointConfig: null } });
  });

  t.test('over MQTT, and it takes effect', async (t) => {
    await put({ 'READER-GATEWAY': { batching: {} } });
    await put({ 'READER-GATEWAY': { managementEventConfig: { heartbeat: { interval: 0 } } } });
    const command = {
      command: 'set_config',
      command_id: 'unset',
      payload: { 'READER-GATEWAY': { batching: null, managementEventConfig: { heartbeat: null } } },
    };
    await until('the answer', async () => {
      listener.client.publish('singulate/m-req', JSON.stringify(command));
      await new Promise((resolve) => setTimeout(resolve, 100));
      return listener.on('singulate/m-res').some(({ json }) => json.response === 'success');
    });
    t.same(await get(), factory);
  });

  t.test('null elsewhere is refused, and changes nothing', async (t) => {
    await put(everything);
    const before = await get();
    for (const [change, message] of [
      [null, /null is not an object/],
      [
        { xml: null, 'GPIO-LED': { TAG_READ: [null] } },
        /GPIO-LED\.TAG_READ\[0\]: null is not an object/,
      ],
      [path('data', 'event', [null]), /connections\[0\]: null is not an object/],
      [
        path('data', 'event', [{ ...POST, options: { URL: null } }]),
        /connections\[0\]\.options\.URL: null is not a text/,
      ],
      [
        { 'READER-GATEWAY': { retention: { throttle: null } } },
        /retention\.throttle: null is not an integer/,
      ],
    ] as const) {
      const { status, json } = await reader.call('PUT', 'config', change);
      t.equal(status, 400);
      t.match(json.message, message);
    }
    t.same(await get(), before);
  });
});
