/** Packets that no MQTT client sends: their connection ends, and all others go on. */
import { once } from 'node:events';
import { connect } from 'node:net';
import mqtt from 'mqtt';
import { generate } from 'mqtt-packet';
import t from 'tap';
import { freePort } from '../../bench/delivery/free-port.js';
import { startBroker } from '../../src/cli/broker.js';
import { until } from '../gateway/reader.js';

const LOGIN = { password: 'of-this-test', openTagEvents: false };
const CONNECT = generate({
  ...{ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: true, keepalive: 60 },
  ...{ clientId: 'a', username: 'local', password: Buffer.from(LOGIN.password) },
});
const PACKETS: Record<string, string> = {
  'no packet': '474554202f20485454502f312e310d0a0d0a',
  'type 0': '0000',
  'type 15 with flags': 'ff00',
  'a length of five bytes': '30ffffffffff01',
  'PUBLISH with QoS 3': '3606000161000178',
  'PUBLISH with a topic longer than itself': '3003ffff61',
  'PUBLISH to a wildcard': '3004000123ff',
  'PUBLISH whose topic is no UTF-8': '30050002c0af78',
  'SUBSCRIBE without topics': '82020001',
  'SUBSCRIBE with wrong flags': '8006000100016100',
  'SUBSCRIBE to a wrong filter': '8208000100036123620000',
  'a second CONNECT': CONNECT.toString('hex'),
  'an answer of a server': '20020000',
};

t.test('one broker', async (t) => {
  const port = await freePort();
  const broker = await startBroker(port, LOGIN);
  t.teardown(() => broker.close());
  const other = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, {
    ...{ reconnectPeriod: 0, username: 'local', password: LOGIN.password },
  });
  t.teardown(() => other.endAsync(true));
  const arrived: string[] = [];
  other.on('message', (_topic, payload) => arrived.push(String(payload)));
  await other.subscribeAsync('a/b', { qos: 1 });
  for (const [name, hex] of Object.entries(PACKETS)) {
    for (const first of [true, false]) {
      const socket = connect(port, '127.0.0.1');
      t.teardown(() => socket.destroy());
      socket.on('error', () => {}).resume();
      await once(socket, 'connect');
      const closed = once(socket, 'close');
      socket.end(
        first ? Buffer.from(hex, 'hex') : Buffer.concat([CONNECT, Buffer.from(hex, 'hex')]),
      );
      await closed;
      const text = `after ${name}, ${first ? 'at first' : 'logged in'}`;
      await other.publishAsync('a/b', text, { qos: 1 });
      await until(text, () => arrived.includes(text));
    }
  }
  t.ok(other.connected);
  t.equal(arrived.length, 2 * Object.keys(PACKETS).length);
});
