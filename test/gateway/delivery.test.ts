/** Tag events on their way to MQTT and HTTP POST endpoints. */
import { readFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import t from 'tap';
import { TagEvent } from '../../src/reader-gateway/api/tag-event.js';
import { assertValid } from '../../src/reader-gateway/api/validate.js';
import { read } from './fake-radio.js';
import type { TestReader as Reader } from './reader.js';
import { Listener, PostTarget, TestBroker, TestReader, until } from './reader.js';

// The events carry the local time: fixed, so that they can be compared with texts.
process.env.TZ = 'Etc/GMT-2';

const EVENTS = 'singulate/d-evt';

function mqttConnection(broker: TestBroker, name: string, more: object = {}, additional = {}) {
  return {
    type: 'mqtt',
    name,
    options: {
      endpoint: { hostName: '127.0.0.1', port: broker.port, protocol: 'tcp' },
      enableSecurity: false,
      additional: { reconnectDelay: 0.1, reconnectDelayMax: 0.2, keepAlive: 10, ...additional },
      publishTopic: [`test/${name}`],
    },
    ...more,
  };
}

async function setData(reader: Reader, connections: object[], gateway: object = {}) {
  const config = {
    'READER-GATEWAY': { ...gateway, endpointConfig: { data: { event: { connections } } } },
  };
  const answer = await reader.call('PUT', 'config', config);
  if (answer.status !== 200) throw new Error(answer.text);
}

t.test('with a broker', async (t) => {
  const broker = new TestBroker();
  await broker.start();
  const listener = new Listener(broker.url, '#');
  await until('the listener is there', () => listener.subscribed);
  const reader = await TestReader.start(t, { broker });
  const { radio } = reader;
  t.teardown(async () => {
    await reader.gateway.stop();
    listener.client.end(true);
    await broker.stop();
  });
  await reader.dataConnected();

  const numbersOf = (topic: string) =>
    listener.on(topic).flatMap(({ json }) => [json].flat().map((event) => event.data.eventNum));

  t.test('reads nobody asked for are not delivered', async (t) => {
    radio.takenBy('an OEM application');
    radio.send(read('aa'));
    await sleep(100);
    t.equal(listener.on(EVENTS).length, 0);
    radio.end('stopped');
  });

  t.test('the factory connection carries the documented events', async (t) => {
    // The very first read is delivered even if it is faster than the answer to the start.
    radio.firstReads = [read('E28011700000020A1B2C3D4E')];
    t.equal((await reader.call('PUT', 'start')).status, 200);
    radio.firstReads = [];
    await until('one event', () => listener.on(EVENTS).length === 1);
    t.equal(
      listener.on(EVENTS)[0]?.text,
      '{"data":{"eventNum":1,"format":"epc","idHex":"e28011700000020a1b2c3d4e"},' +
        '"timestamp":"2024-05-06T07:08:09.123+0200","type":"SIMPLE"}',
    );

    await reader.call('PUT', 'mode', { type: 'INVENTORY' });
    radio.send(read('e280', { antenna: 2, seenCount: 17 }));
    await until('the next event', () => listener.on(EVENTS).length === 2);
    t.equal(
      listener.on(EVENTS)[1]?.text,
      '{"data":{"antenna":2,"eventNum":2,"format":"epc","idHex":"e280","peakRssi":-51,"reads":17},' +
        '"timestamp":"2024-05-06T07:08:09.123+0200","type":"INVENTORY"}',
    );

    await reader.call('PUT', 'mode', { type: 'CONVEYOR' });
    radio.send(read('30340242'));
    await until('the next event', () => listener.on(EVENTS).length === 3);
    t.same(listener.on(EVENTS)[2]?.json.data, {
      antenna: 1,
      eventNum: 3,
      format: 'epc',
      idHex: '30340242',
    });

    await reader.call('PUT', 'mode', {
      type: 'CUSTOM',
      antennas: [3, 4],
      reportFilter: { duration: 0, type: 'RADIO_WIDE' },
      tagMetaData: [
        'ANTENNA',
        'RSSI',
        'PHASE',
        'CHANNEL',
        'SEEN_COUNT',
        'PC',
        'CRC',
        'MAC',
        'HOSTNAME',
        { userDefined: { line: 'ä' } },
        { antennaPortNames: ['in', 'out'] },
      ],
    });
    radio.send(read('', { antenna: 4, pc: 0x3f17, crc: 0xa }));
    await until('the next event', () => listener.on(EVENTS).length === 4);
    const last = listener.on(EVENTS)[3];
    t.match(last?.text, /^{"data":{"CRC":"000a","MAC":"([0-9A-F]{2}:){5}[0-9A-F]{2}","PC":"3f17"/);
    t.match(last?.json.data, {
      antenna: 4,
      antennaName: 'out',
      channel: 866.3,
      eventNum: 4,
      format: 'uii',
      hostName: String,
      idHex: '',
      peakRssi: -51,
      phase: 101.25,
      reads: 1,
      userDefined: { line: 'ä' },
    });
    for (const { json } of listener.on(EVENTS)) {
      t.doesNotThrow(() => assertValid(TagEvent, json));
    }
  });

  t.test('HTTP POST gets batches in one array, MQTT single events', async (t) => {
    const target = new PostTarget();
    await target.start();
    t.teardown(() => target.stop());
    const batching = { reportingInterval: 300, maxPayloadSizePerReport: '256KB' };
    const post = {
      type: 'httpPost',
      name: 'server',
      options: {
        URL: target.url,
        security: {
          verifyPeer: false,
          verifyHost: false,
          authenticationType: 'BASIC',
          authenticationOptions: { username: 'me', password: 'secret' },
        },
      },
      additionalOptions: { batching },
    };
    const small = { batching: { reportingInterval: 60_000, maxPayloadSizePerReport: 400 } };
    await setData(reader, [
      post,
      mqttConnection(broker, 'single'),
      mqttConnection(broker, 'small', { additionalOptions: small }),
    ]);
    await reader.call('PUT', 'mode', { type: 'SIMPLE' });
    const started = Date.now();
    radio.send(...['01', '02', '03', '04', '05'].map((epc) => read(epc)));
    await until('the post', () => target.posts.length === 1);
    t.ok(Date.now() - started >= 250, 'not before the interval');
    const events = target.posts[0]?.json as { data: { idHex: string; eventNum: number } }[];
    t.same(
      events.map(({ data }) => [data.eventNum, data.idHex]),
      [
        [1, '01'],
        [2, '02'],
        [3, '03'],
        [4, '04'],
        [5, '05'],
      ],
    );
    t.match(target.posts[0]?.headers, {
      authorization: `Basic ${Buffer.from('me:secret').toString('base64')}`,
      'content-type': 'application/json',
    });
    await until('five messages', () => listener.on('test/single').length === 5);
    await until('full batches', () => listener.on('test/small').length === 1);
    const [batch] = listener.on('test/small');
    t.ok((batch?.text.length ?? 0) <= 400, `${batch?.text.length} bytes`);
    t.ok(Array.isArray(batch?.json));

    target.status = 503;
    radio.send(read('06'));
    await until('the failure shows', () =>
      reader.endpoints.some(({ name, error }) => name === 'server' && /503/.test(error)),
    );
    target.status = 200;
    await until('it is sent again', () => target.posts.length === 2, 5000);
    t.match(target.posts[1]?.json, [{ data: { eventNum: 6, idHex: '06' } }]);
  });

  t.test('a change of one connection leaves the others alone', async (t) => {
    await setData(reader, [mqttConnection(broker, 'kept'), mqttConnection(broker, 'other')]);
    await reader.dataConnected();
    radio.send(read('01'));
    await until('the first', () => listener.on('test/other').length === 1);
    await setData(reader, [
      mqttConnection(broker, 'kept', { description: 'only a text' }),
      mqttConnection(broker, 'other', {}, { clientId: 'other-client' }),
    ]);
    const { json } = await reader.call('GET', 'status');
    const [kept] = json.interfaceConnectionStatus.data;
    t.match(kept, { connectionStatus: 'connected', description: 'only a text' });
    radio.send(read('02'));
    await until('the second', () => listener.on('test/other').length === 2);
    t.same(numbersOf('test/other'), [1, 2], 'its numbers go on');
    await until('the second', () => listener.on('test/kept').length === 2);
    t.same(numbersOf('test/kept'), [1, 2]);
  });

  t.test('MQTT and HTTP POST go over TLS, and only to whom they trust', async (t) => {
    const own = join(reader.stateDir, 'tls', 'cert.pem');
    const tls = {
      cert: readFileSync(own),
      key: readFileSync(join(reader.stateDir, 'tls/key.pem')),
    };
    const secureBroker = createTlsServer(tls, (socket) => {
      socket.on('error', () => {});
      broker.handle(socket);
    });
    const posts: string[] = [];
    const secureTarget = createHttpsServer(tls, (request, response) => {
      request.on('data', (part) => posts.push(String(part)));
      request.on('end', () => response.end());
    });
    for (const server of [secureBroker, secureTarget]) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      t.teardown(() => server.close());
    }
    const portOf = (server: Server) => (server.address() as AddressInfo).port;
    const mqtts = (name: string, security: object) => {
      const endpoint = { hostName: '127.0.0.1', port: portOf(secureBroker), protocol: 'ssl' };
      const options = { endpoint, enableSecurity: true, security, publishTopic: [`test/${name}`] };
      return { type: 'mqtt', name, options };
    };
    const https = (name: string, security: object) => ({
      type: 'httpPost',
      name,
      options: { URL: `https://127.0.0.1:${portOf(secureTarget)}/`, security },
      additionalOptions: { batching: { reportingInterval: 0, maxPayloadSizePerReport: 0 } },
    });
    await setData(reader, [
      mqtts('trusted', { CACertificateFileLocation: own }),
      mqtts('unchecked', { verifyPeer: false }),
      mqtts('unknown', {}),
      https('https', { CACertificateFileLocation: own }),
      https('https unknown', {}),
      https('https without file', { CACertificateFileLocation: '/does/not/exist' }),
    ]);
    radio.send(read('7175'));
    await until(
      'both',
      () => numbersOf('test/trusted').length + numbersOf('test/unchecked').length === 2,
    );
    await until('the post', () => posts.some((text) => text.includes('"idHex":"7175"')));
    const error = (of: string) => reader.endpoints.find(({ name }) => name === of)?.error ?? '';
    await until('the reasons', () => error('unknown') !== '' && error('https unknown') !== '');
    t.match(error('unknown'), /self-signed/);
    t.match(error('https unknown'), /self-signed/);
    t.match(error('https without file'), /does not name a file in PEM/);
    t.equal(posts.length, 1);
  });

  t.test('a broker that restarts misses nothing with QoS 1', async (t) => {
    const retention = { throttle: 500, maxNumEvents: 1000, maxEventRetentionTimeInMin: 0 };
    const qos1 = mqttConnection(
      broker,
      'kept1',
      { additionalOptions: { retention } },
      { qos: 1, cleanSession: false, clientId: 'kept1' },
    );
    const none = mqttConnection(broker, 'none', {
      additionalOptions: { retention: { maxNumEvents: 0 } },
    });
    const few = mqttConnection(broker, 'few', {
      additionalOptions: { retention: { ...retention, maxNumEvents: 10 } },
    });
    await setData(reader, [qos1, none, few]);
    await reader.dataConnected();
    let sent = 0;
    const sendReads = async (count: number) => {
      for (let i = 0; i < count; i++) radio.send(read(String(++sent).padStart(4, '0')));
      await sleep(20);
    };
    await sendReads(50);
    await until('all before', () => numbersOf('test/kept1').length === 50);
    const stopped = broker.stop();
    await sendReads(100);
    await stopped;
    await sleep(1200);
    await sendReads(100);
    await until('the loss shows', () =>
      reader.endpoints.some(({ name, retained }) => name === 'kept1' && retained > 100),
    );
    // One that comes after the broker is no part of the outage: it does not wait for those of it.
    await until('all have come', () => {
      const { sent: out = 0, dropped = 0 } =
        reader.endpoints.find(({ name }) => name === 'none') ?? {};
      return out + dropped === 250;
    });
    // A broker without subscribers throws messages away: the listener comes first.
    broker.onlyTests = true;
    await broker.start();
    await until('the listener is back', () => listener.subscribed);
    broker.onlyTests = false;
    const back = Date.now();
    await until('everything', () => new Set(numbersOf('test/kept1')).size === 250);
    t.ok(Date.now() - back >= 300, 'the backlog is throttled');
    const distinct = [...new Set(numbersOf('test/kept1'))];
    t.same(
      distinct,
      Array.from({ length: 250 }, (_, i) => i + 1),
      'in order, without a gap',
    );
    await sendReads(1);
    await until('the new one', () => numbersOf('test/none').includes(251));
    await until('the new one', () => numbersOf('test/few').includes(251));
    t.notOk(numbersOf('test/none').includes(200), 'no retention: none of the outage');
    t.same(
      numbersOf('test/few').slice(-11),
      Array.from({ length: 11 }, (_, i) => 241 + i),
      'the newest ten of the outage',
    );
    await until('the drops are told', () => {
      const dropped = (of: string) => reader.endpoints.find(({ name }) => name === of)?.dropped;
      return (dropped('none') ?? 0) > 100 && (dropped('few') ?? 0) > 100;
    });
    await until('every event is sent or counted', () => {
      const { sent: out = 0, dropped = 0 } =
        reader.endpoints.find((one) => one.name === 'few') ?? {};
      return out + dropped === 251;
    });
  });
});
