/** tcpip-server and WEBSOCKET connections of the configuration, on the whole gateway. */
import { once } from 'node:events';
import t from 'tap';
import { WebSocket } from 'ws';
import { freePort } from '../../bench/delivery/free-port.js';
import { LineClient } from '../delivery/harness.js';
import { read } from './fake-radio.js';
import { TestReader, until } from './reader.js';

async function setData(reader: TestReader, connections: object[]) {
  const config = { 'READER-GATEWAY': { endpointConfig: { data: { event: { connections } } } } };
  return reader.call('PUT', 'config', config);
}

const objects = (texts: readonly string[]) =>
  texts.flatMap((text) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line)),
  );

t.test('with a reader', async (t) => {
  const reader = await TestReader.start(t);
  const { radio } = reader;
  t.teardown(() => reader.gateway.stop());
  await reader.call('PUT', 'start');
  const port = await freePort();
  const tcp = (more: object = {}) => ({
    type: 'tcpip-server',
    name: 'line',
    options: { tcpipport: String(port), enableSecurity: false, ...more },
  });
  const kindOf = async (name: string) => {
    const { json } = await reader.call('GET', 'status');
    // biome-ignore lint/suspicious/noExplicitAny: the answer
    return json.interfaceConnectionStatus.data.find((one: any) => one.description === name);
  };

  await t.test('a TCP client gets a line for each event, and counts show', async (t) => {
    t.equal((await setData(reader, [tcp()])).status, 200);
    t.match(await kindOf('line'), {
      connectionStatus: 'disconnected',
      connectionError: /no client is connected/,
      interface: 'tcpip-server',
    });
    const client = await LineClient.connect(port);
    await reader.dataConnected();
    radio.send(read('01'), read('02'));
    await until('both', () => client.arrivals.numbers.length === 2);
    await until('counted', () => reader.endpoints[0]?.sent === 2);
    t.match(await kindOf('line'), {
      connectionStatus: 'connected',
      connectionError: '',
      numDataMessagesTxed: 2,
      numDataMessagesRetained: 0,
      numDataMessagesDropped: 0,
      numDataMessagesRetried: 0,
    });
    const metrics = await reader.call('GET', 'metrics');
    t.match(metrics.headers['content-type'], /^text\/plain; version=0\.0\.4/);
    t.match(
      metrics.text,
      'singulate_endpoint_events_total{interface="data",name="line",type="tcpip-server",result="sent"} 2\n',
    );
    client.socket.destroy();
  });

  await t.test('a WEBSOCKET endpoint serves /ws without a token: single objects', async (t) => {
    const clientOf = async () => {
      const socket = new WebSocket(`${reader.gateway.restUrl.replace('https', 'wss')}/ws`, {
        rejectUnauthorized: false,
      });
      const texts: string[] = [];
      socket.on('message', (data, isBinary) => texts.push(isBinary ? 'binary' : String(data)));
      await once(socket, 'open');
      return { socket, texts };
    };
    const web = { type: 'WEBSOCKET', name: 'web' };
    t.equal((await setData(reader, [tcp(), web])).status, 200);
    const { socket, texts } = await clientOf();
    await until('it is in', () =>
      reader.endpoints.some(({ name, state }) => name === 'web' && state === 'connected'),
    );
    radio.send(read('01'), read('02'), read('03'));
    await until('all', () => objects(texts).length === 3);
    t.same(
      objects(texts).map(({ data }) => [data.eventNum, data.idHex]),
      [
        [1, '01'],
        [2, '02'],
        [3, '03'],
      ],
    );
    const left = once(socket, 'close');
    const batching = { reportingInterval: 10, maxPayloadSizePerReport: '1KB' };
    await setData(reader, [tcp(), { ...web, options: {}, additionalOptions: { batching } }]);
    const [code] = await left;
    t.equal(code, 1001);
    const again = await clientOf();
    t.teardown(() => again.socket.terminate());
    radio.send(read('04'));
    // Events that were just written when the first client went come once more.
    await until('an array', () => again.texts.some((text) => text.includes('"idHex":"04"')));
    t.ok(again.texts.every((text) => Array.isArray(JSON.parse(text))));
  });

  await t.test('TLS on TCP with the certificate of the reader', async (t) => {
    const { connect } = await import('node:tls');
    const secure = tcp({ enableSecurity: true, security: { useLocalCerts: true } });
    t.equal((await setData(reader, [secure])).status, 200);
    let text = '';
    const dial = () => {
      const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
      socket.on('error', () => {});
      socket.on('data', (part) => {
        text += part;
      });
      return socket;
    };
    let socket = dial();
    await until('a handshake', () => {
      if (socket.closed) socket = dial();
      return reader.endpoints.some(({ name, state }) => name === 'line' && state === 'connected');
    });
    t.teardown(() => socket.destroy());
    radio.send(read('7175'));
    await until('over TLS', () => text.includes('"idHex":"7175"'));
  });

  await t.test('a wrong list is refused whole, and nothing has changed', async (t) => {
    const before = (await reader.call('GET', 'config')).text;
    const sent = reader.endpoints[0]?.sent;
    const answer = await setData(reader, [
      { type: 'WEBSOCKET', name: 'a' },
      { type: 'WEBSOCKET', name: 'a' },
      { type: 'tcpip-server', options: { tcpipport: '70000' } },
      tcp({ additional: { keepAlive: 59, keepAliveInterval: 121, keepAliveCount: 0 } }),
    ]);
    t.equal(answer.status, 400);
    const path = 'READER-GATEWAY.endpointConfig.data.event.connections';
    for (const text of [
      `${path}[3].options.additional.keepAlive: 59 is below the minimum of 60`,
      `${path}[3].options.additional.keepAliveInterval: 121 is above the maximum of 120`,
      `${path}[3].options.additional.keepAliveCount: 0 is below the minimum of 1`,
    ]) {
      t.ok(answer.json.message.includes(text), text);
    }
    const second = await setData(reader, [
      { type: 'WEBSOCKET', name: 'a' },
      { type: 'WEBSOCKET', name: 'a' },
      { type: 'tcpip-server', options: { tcpipport: '70000' } },
      tcp(),
      { type: 'tcpip-server', options: { tcpipport: port } },
      { type: 'mqtt-AWS', options: { endpoint: {}, publishTopic: ['t'], additional: { qos: 2 } } },
      {
        type: 'mqtt-AZURE',
        options: { endpoint: 'h', publishTopic: ['a'], additional: { retain: true } },
      },
      {
        type: 'httpPost',
        options: { URL: 'http://h/', security: { authenticationType: 'BEARER' } },
      },
    ]);
    t.equal(second.status, 400);
    for (const text of [
      `${path}[1].name: "a" is used twice`,
      `${path}[1].type: only one connection may be a WEBSOCKET`,
      `${path}[2].options.tcpipport: "70000" is not a port of 1 to 65535`,
      `${path}[4].options.tcpipport: ${port} is used twice`,
      `${path}[5].options.endpoint.hostName: is required`,
      `${path}[5].options.additional.qos: 2 is not one of 0, 1`,
      `${path}[6].options.additional.retain: true is not allowed`,
      `${path}[7].options.security.authenticationOptions.token: is required`,
    ]) {
      t.ok(second.json.message.includes(text), text);
    }
    t.equal((await reader.call('GET', 'config')).text, before);
    t.equal(reader.endpoints[0]?.sent, sent);
  });

  await t.test('nine connections are one too many', async (t) => {
    const many = Array.from({ length: 9 }, (_, i) => ({
      type: 'tcpip-server',
      options: { tcpipport: 20_000 + i },
    }));
    const answer = await setData(reader, many);
    t.equal(answer.status, 400);
    t.match(answer.json.message, /connections: has more than 8 entries/);
  });
});
