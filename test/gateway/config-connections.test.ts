/** Connections that can never work are refused when they are set, each fault with its field. */
import t from 'tap';
import type { TSchema } from '../../src/reader-gateway/api/schema.js';
import { topicFilterProblem, topicNameProblem } from '../../src/reader-gateway/mqtt/topics.js';
import { OPERATIONS } from '../../src/reader-gateway/operations/table.js';
import { TestReader } from './reader.js';

const PATH = 'READER-GATEWAY.endpointConfig.data.event.connections[0].options';

t.test('one reader', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const set = (connection: object) =>
    reader.call('PUT', 'config', {
      'READER-GATEWAY': { endpointConfig: { data: { event: { connections: [connection] } } } },
    });
  const mqtt = (options: object, additional: object = {}, type = 'mqtt') => ({
    type,
    options: { endpoint: 'ssl://broker.invalid', publishTopic: ['a'], additional, ...options },
  });
  const post = (security: object, URL = 'https://server.invalid/') => ({
    type: 'httpPost',
    options: { URL, security },
  });
  const object = (endpoint: object) => ({ endpoint: { hostName: 'broker.invalid', ...endpoint } });

  const refused: [connection: object, ...messages: string[]][] = [
    [mqtt({ publishTopic: [] }), 'publishTopic: needs at least 1 entry'],
    [
      mqtt({ publishTopic: ['a/#', 'b', '+/c'] }),
      'publishTopic[0]: "a/#" has a wildcard (# or +), and is a topic to publish under',
      'publishTopic[2]: "+/c" has a wildcard (# or +), and is a topic to publish under',
    ],
    [mqtt({ publishTopic: ['ä'.repeat(32_768)] }), 'has 65536 bytes, MQTT allows at most 65535'],
    [
      mqtt({ subscribeTopic: ['a/#/b', 'a#', 'a+/b', '$share/g', '$share//a', '$share/+/a'] }),
      'subscribeTopic[0]: "a/#/b" has a # that is not the last level',
      'subscribeTopic[1]: "a#" has a wildcard (# or +) that is not a whole level',
      'subscribeTopic[2]: "a+/b" has a wildcard (# or +) that is not a whole level',
      'subscribeTopic[3]: "$share/g" is not like "$share/GROUP/FILTER"',
      'subscribeTopic[4]: "$share//a" is not like',
      'subscribeTopic[5]: "$share/+/a" is not like',
    ],
    [
      mqtt({}, { cleanSession: false }),
      'additional.clientId: is required with cleanSession false: the broker keeps the session under it',
    ],
    [mqtt({}, { cleanSession: false, clientId: '' }), 'additional.clientId: is required'],
    [
      mqtt({}, { clientId: 'a'.repeat(65_536), will: { topic: 'b', payload: 'x'.repeat(65_536) } }),
      'additional.clientId: has 65536 bytes, MQTT allows at most 65535',
      'additional.will.payload: has 65536 bytes, MQTT allows at most 65535 in a will',
    ],
    [
      mqtt({}, { will: { topic: 'a', qos: 2 }, birth: { topic: 'a', retain: true } }, 'mqtt-AZURE'),
      'additional.will.qos: 2 is not one of 0, 1: brokers of mqtt-AZURE have no QoS 2',
      'additional.birth.retain: true is not allowed: brokers of mqtt-AZURE retain nothing',
    ],
    [
      mqtt(object({ hostName: 'mqtt://broker' })),
      'endpoint.hostName: "mqtt://broker" is not a host name or an IP address',
    ],
    [mqtt(object({ hostName: 'two words' })), 'endpoint.hostName: "two words" is not a host name'],
    [
      mqtt(object({ hostname: 'another.invalid' })),
      'endpoint.hostname: "another.invalid" is not "broker.invalid", which hostName says',
    ],
    [
      mqtt({ endpoint: 'ssl://broker.invalid/path' }),
      'endpoint: has a path, which only brokers of ws and wss have',
    ],
    [mqtt({ endpoint: 'wss://broker.invalid/a#b' }), 'endpoint: has a fragment (#)'],
    [
      mqtt({
        endpoint: 'ssl://me:x@broker.invalid',
        basicAuthentication: { username: 'me', password: 'y' },
      }),
      'basicAuthentication: is given, and a user name in endpoint as well',
    ],
    [
      mqtt({ security: { publicKeyFileLocation: '/tmp/a.pem' } }),
      'security.privateKeyFileLocation: is required with publicKeyFileLocation',
    ],
    [
      post({ authenticationType: 'BASIC' }),
      'security.authenticationOptions.username: is required with authenticationType BASIC',
    ],
    [
      post({ authenticationType: 'BASIC', authenticationOptions: { username: 'a:b' } }),
      'security.authenticationOptions.username: has a colon, which ends the user name in BASIC',
    ],
    [
      post(
        { authenticationType: 'BEARER', authenticationOptions: { token: 't' } },
        'https://me@s.invalid/',
      ),
      'URL: has a user name, and authenticationType BEARER gives credentials as well',
    ],
    [
      post({ authenticationType: 'TLS-Client' }, 'http://server.invalid/'),
      'security.authenticationType: TLS-Client needs a URL of https',
      'security.installedCertificateName: is required with authenticationType TLS-Client',
    ],
    [
      post({
        authenticationType: 'TLS-Client',
        authenticationOptions: { privateKeyFileLocation: '/tmp/a.key' },
      }),
      'security.authenticationOptions.publicKeyFileLocation: is required with privateKeyFileLocation',
    ],
    [post({}, 'http://server.invalid:0/'), 'URL: "http://server.invalid:0/" has a port'],
    [
      mqtt({}, { reconnectDelay: 1e9, reconnectDelayMax: 1e9 }),
      'additional.reconnectDelay: 1000000000 is above the maximum of 86400',
      'additional.reconnectDelayMax: 1000000000 is above the maximum of 86400',
    ],
  ];
  t.test('by the configuration and by a test of the connection', async (t) => {
    for (const [connection, ...messages] of refused) {
      const { status, json } = await set(connection);
      t.equal(status, 400, String(messages[0]));
      for (const message of messages) t.ok(json.message?.includes(message), json.message);
      t.ok(json.message?.includes(PATH), json.message);
      const tried = await reader.call('POST', 'testConnection', connection);
      t.equal(tried.status, 400, String(messages[0]));
    }
  });

  t.test('sizes and waits above what there is', async (t) => {
    const connection = (additionalOptions: object) => ({ ...post({}), additionalOptions });
    for (const [batching, message] of [
      [
        { reportingInterval: 3_000_000_000 },
        'reportingInterval: 3000000000 is above the maximum of 2147483647',
      ],
      [
        { maxPayloadSizePerReport: 1_000_001 },
        'maxPayloadSizePerReport: 1000001 is above the maximum of 1000000',
      ],
      [
        { maxPayloadSizePerReport: '2MB' },
        'maxPayloadSizePerReport: "2MB" is above the maximum of 1000000 bytes',
      ],
    ] as const) {
      const whole = await reader.call('PUT', 'config', { 'READER-GATEWAY': { batching } });
      t.equal(whole.json.message, `READER-GATEWAY.batching.${message}`);
      const own = await set(connection({ batching }));
      t.match(own.status, 400);
      t.ok(
        own.json.message.includes(`[0].additionalOptions.batching.${message}`),
        own.json.message,
      );
    }
    for (const [maxSpillSize, message] of [
      ['0MB', '"0MB" is below the minimum of 1 bytes'],
      ['2000000MB', '"2000000MB" is above the maximum of 1000000000000 bytes'],
    ]) {
      const { json } = await set(connection({ retention: { maxSpillSize } }));
      t.ok(
        json.message.endsWith(`additionalOptions.retention.maxSpillSize: ${message}`),
        json.message,
      );
    }
    t.equal((await set(connection({ batching: { maxPayloadSizePerReport: '1MB' } }))).status, 200);
  });

  t.test('what works is taken', async (t) => {
    const certificate = { installedCertificateName: 'line' };
    for (const connection of [
      mqtt({
        publishTopic: ['/', 'a//b', '$aws/things/x', 'ä b'],
        subscribeTopic: ['#', '+/+', '$share/g/#', '/'],
      }),
      mqtt(object({ hostName: '[::1]' })),
      mqtt(object({ hostName: 'fe80::1%eth0', hostname: 'fe80::1%eth0' })),
      mqtt({ endpoint: 'wss://broker.invalid/mqtt?token=a' }),
      mqtt({ endpoint: 'ssl://me:x@broker.invalid:8884/' }),
      mqtt({ security: { ...certificate, privateKeyFileLocation: '/tmp/a.key' } }),
      mqtt({ endpoint: 'tcp://b.invalid', security: { publicKeyFileLocation: '/tmp/a.pem' } }),
      mqtt({}, { cleanSession: false, clientId: 'a', keepAlive: 0, reconnectDelayMax: 0 }),
      post({ authenticationType: 'TLS-Client', ...certificate }),
      post({ authenticationType: 'BASIC', authenticationOptions: { username: 'a' } }),
      post({ authenticationType: 'NONE' }, 'https://me:x@server.invalid/a?b#c'),
    ]) {
      const { status, text } = await set(connection);
      t.equal(status, 200, text);
    }
  });
});

t.test('a file of settings may hold texts that no request can', async (t) => {
  t.match(topicNameProblem('a\0b'), /character NUL/);
  t.match(topicFilterProblem('#/\ud800'.slice(2)), /half of a surrogate pair/);
});

/** Numbers without a limit in their schema: nothing waits as long, or is as large, as they say. */
const OTHERWISE_LIMITED: Readonly<Record<string, RegExp>> = {
  'what the radio has, when the mode is compiled':
    /^setMode\.properties\.(linkProfile|antennas|transmitPower|inventorySettings)\b/,
  'what the radio has, when the region is set':
    /\.channel(s|Data)\.items$|^setGpo\.properties\.port$/,
  'any number is not 0, refused or not looked at':
    /\.(truncate|aar\.properties\.[xyz]|m(in|ax)TxPowerSupported|formatVersion)$/,
};

t.test('every number that a client may send has a smallest and a largest value', async (t) => {
  const open: string[] = [];
  const seen = new Set<object>();
  const walk = (schema: TSchema, path: string) => {
    if (typeof schema !== 'object' || schema === null || seen.has(schema)) return;
    seen.add(schema);
    const types = [schema.type].flat();
    const isNumber = types.includes('integer') || types.includes('number');
    const has = (...keys: string[]) => keys.some((key) => schema[key] !== undefined);
    if (isNumber && !has('enum', 'const')) {
      if (!has('maximum', 'exclusiveMaximum') || !has('minimum', 'exclusiveMinimum')) {
        open.push(path);
      }
    }
    for (const [key, inner] of Object.entries(schema)) {
      if (typeof inner === 'object' && inner !== null) walk(inner, `${path}.${key}`);
    }
  };
  for (const { name, requestSchema } of OPERATIONS) walk(requestSchema, name);
  const limits = Object.values(OTHERWISE_LIMITED);
  const unlimited = open.filter((path) => !limits.some((limit) => limit.test(path)));
  t.same(unlimited, []);
});
