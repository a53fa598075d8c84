/** The reader configuration: round trip, secrets, all or nothing. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { TestBroker, TestReader } from './reader.js';

const MASK = '********';

t.test('one reader', async (t) => {
  const broker = new TestBroker();
  await broker.start();
  const reader = await TestReader.start(t, { broker });
  t.teardown(async () => {
    await reader.gateway.stop();
    await broker.stop();
  });
  const get = async () => (await reader.call('GET', 'config')).json;
  const file = () => readFile(join(reader.stateDir, 'config.json'), 'utf8');
  const connection = (password: string, more: object = {}) => ({
    type: 'mqtt',
    name: 'line',
    options: {
      endpoint: { hostName: '127.0.0.1', port: broker.port },
      basicAuthentication: { username: 'me', password },
      publishTopic: ['a'],
    },
    ...more,
  });
  const data = (...connections: unknown[]) => ({
    'READER-GATEWAY': { endpointConfig: { data: { event: { connections } } } },
  });

  t.test('a reader that was told nothing shows its defaults', async (t) => {
    const config = await get();
    const gateway = config['READER-GATEWAY'];
    t.match(config, { xml: '', 'GPIO-LED': {} });
    t.same(gateway.retention, {
      throttle: 100,
      maxNumEvents: 150000,
      maxEventRetentionTimeInMin: 0,
    });
    const { data, control, management } = gateway.endpointConfig;
    t.match(data.event.connections, [
      { name: 'embedded broker', type: 'mqtt', options: { publishTopic: ['singulate/d-evt'] } },
    ]);
    t.match(control.commandResponse.connections[0].options, {
      subscribeTopic: ['singulate/c-req'],
      publishTopic: ['singulate/c-res'],
    });
    t.match(management.commandResponse.connections[0].options, {
      subscribeTopic: ['singulate/m-req'],
      publishTopic: ['singulate/m-res'],
    });
  });

  t.test('what GET answers can be PUT and changes nothing', async (t) => {
    const before = await get();
    t.match(await reader.call('PUT', 'config', before), { status: 200, text: '' });
    t.same(await get(), before);
    t.notMatch(await file(), /embedded broker/, 'the factory connections stay the factory’s');
  });

  t.test('any subset is taken, and nothing is ignored', async (t) => {
    const gpio = { GPODefaults: { 1: 'LOW', 2: 'HIGH' } };
    const change = { 'GPIO-LED': { ...gpio, unknown: 1 }, somethingNew: {} };
    const { status, json } = await reader.call('PUT', 'config', change);
    t.equal(status, 400);
    t.match(json.message, /somethingNew: is not known here; known are xml, GPIO-LED/);
    t.match(json.message, /GPIO-LED\.unknown: is not known here/);
    t.equal((await reader.call('PUT', 'config', { 'GPIO-LED': gpio })).status, 200);
    t.equal((await reader.call('PUT', 'config', { xml: '<a/>' })).status, 200);
    t.equal(
      (await reader.call('PUT', 'config', { 'GPIO-LED': { GPIDebounce: { 1: 50 } } })).status,
      200,
    );
    t.match(await get(), {
      xml: '<a/>',
      'GPIO-LED': { GPODefaults: { 1: 'LOW', 2: 'HIGH' }, GPIDebounce: { 1: 50 } },
    });
  });

  t.test('passwords are masked, and the mask keeps them', async (t) => {
    t.equal((await reader.call('PUT', 'config', data(connection('first secret')))).status, 200);
    const config = await get();
    const [shown] = config['READER-GATEWAY'].endpointConfig.data.event.connections;
    t.equal(shown.options.basicAuthentication.password, MASK);
    t.equal((await reader.call('PUT', 'config', data({ ...shown, description: 'x' }))).status, 200);
    t.match(await file(), /first secret/);
    t.notMatch(JSON.stringify(await get()), /first secret/);
    const other = await reader.call('PUT', 'config', data(connection(MASK, { name: 'new' })));
    t.match(other, {
      status: 400,
      json: { code: 1, message: /basicAuthentication\.password: is the mask/ },
    });
    t.equal((await reader.call('PUT', 'config', data(connection('next secret')))).status, 200);
    t.match(await file(), /next secret/);
  });

  t.test('an empty list replaces the default of its path only', async (t) => {
    t.equal((await reader.call('PUT', 'config', data())).status, 200);
    const { data: set, control } = (await get())['READER-GATEWAY'].endpointConfig;
    t.same(set.event.connections, []);
    t.equal(control.commandResponse.connections.length, 1);
  });

  const path = 'READER-GATEWAY.endpointConfig.data.event.connections';
  const wrong: [string, object, ...string[]][] = [
    [
      'a half-bad change',
      { xml: '<b/>', 'GPIO-LED': { TAG_READ: [{ type: 'LED' }] } },
      'GPIO-LED.TAG_READ[0].led: is required',
      'GPIO-LED.TAG_READ[0].color: is required',
    ],
    [
      'an unknown type',
      data({ type: 'keyboard-emulation', options: {} }),
      `${path}[0].type: "keyboard-emulation" is not one of mqtt, mqtt-AWS, mqtt-AZURE, httpPost, tcpip-server, WEBSOCKET`,
    ],
    ['missing options', data({ type: 'mqtt' }), `${path}[0].options: is required`],
    [
      'an mqtt connection without a host',
      data({ type: 'mqtt', options: { endpoint: {}, publishTopic: ['a'] } }),
      `${path}[0].options.endpoint.hostName: is required`,
    ],
    [
      'a wrong QoS',
      data(
        connection('x', {
          options: { endpoint: { hostName: 'a' }, publishTopic: ['a'], additional: { qos: 3 } },
        }),
      ),
      `${path}[0].options.additional.qos: 3 is not one of 0, 1, 2`,
    ],
    [
      'a URL that is none',
      data({ type: 'httpPost', options: { URL: 'ftp://a' } }),
      `${path}[0].options.URL: "ftp://a" is not an http(s) URL`,
    ],
    [
      'a URL that does not parse',
      data({ type: 'httpPost', options: { URL: 'http://a:b/' } }),
      `${path}[0].options.URL: "http://a:b/" is not an http(s) URL`,
    ],
    [
      'a name twice',
      data(connection('x'), connection('y')),
      `${path}[1].name: "line" is used twice`,
    ],
    [
      'a size that is none',
      { 'READER-GATEWAY': { batching: { maxPayloadSizePerReport: 'big' } } },
      'READER-GATEWAY.batching.maxPayloadSizePerReport: "big" is not a number of bytes',
    ],
    [
      'a retention below nothing',
      { 'READER-GATEWAY': { retention: { maxNumEvents: -5 } } },
      'READER-GATEWAY.retention.maxNumEvents: -5 is below the minimum of 0',
    ],
    [
      'too many connections of management events',
      {
        'READER-GATEWAY': {
          endpointConfig: {
            management: {
              event: {
                connections: Array.from({ length: 5 }, (_, i) =>
                  connection('x', { name: `n${i}` }),
                ),
              },
            },
          },
        },
      },
      'endpointConfig.management.event.connections: has more than 4 entries',
    ],
    [
      'too many connections',
      data(...Array.from({ length: 9 }, (_, i) => connection('x', { name: `n${i}` }))),
      `${path}: has more than 8 entries`,
    ],
  ];
  for (const [name, change, ...expected] of wrong) {
    t.test(`${name} is refused and changes nothing`, async (t) => {
      const before = await get();
      const stored = await file();
      const answer = await reader.call('PUT', 'config', change);
      t.equal(answer.status, 400);
      t.equal(answer.json.code, 1);
      for (const text of expected) t.ok(answer.json.message?.includes(text), answer.json.message);
      t.same(await get(), before);
      t.equal(await file(), stored);
    });
  }
});
