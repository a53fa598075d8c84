/** MQTT over WebSocket, with and without TLS. */
import t from 'tap';
import { resultsOf, tryOut } from '../gateway/connection-tests.js';
import { until } from '../gateway/reader.js';
import { Mosquitto, Watcher } from './mosquitto.js';
import { mqttConnection, readTags, setData, startReading, upTo } from './readings.js';

for (const tls of [false, true]) {
  const scheme = tls ? 'wss' : 'ws';
  t.test(scheme, async (t) => {
    const broker = await Mosquitto.start(t, { webSockets: true, tls });
    const watcher = await Watcher.start(t, broker);
    const reader = await startReading(t);
    const ca = { CACertificateFileLocation: broker.ca };
    const { port } = broker;
    const connections = [
      mqttConnection(broker, 'object', {
        endpoint: { hostName: '127.0.0.1', port, protocol: 'ws' },
        enableSecurity: tls,
        security: ca,
      }),
      mqttConnection(broker, 'url', {
        endpoint: `${scheme}://localhost:${port}/mqtt`,
        security: ca,
      }),
      mqttConnection(
        broker,
        'five',
        { endpoint: `${scheme}://127.0.0.1:${port}`, security: ca },
        {
          mqttVersion: '5',
          qos: 1,
        },
      ),
      // 127.0.0.2 is this machine as well, but not in the certificate.
      mqttConnection(broker, 'host', {
        endpoint: `${scheme}://127.0.0.2:${port}`,
        security: { ...ca, verifyHostName: false },
      }),
    ];
    await setData(reader, ...connections);
    await reader.dataConnected();
    readTags(reader, 50);
    for (const { name } of connections) {
      await until(`all of ${name}`, () => watcher.on(`test/${name}`).length === 50);
      t.same(watcher.numbersOn(`test/${name}`), upTo(50), name);
    }
    for (const connection of connections) {
      const result = await tryOut(reader, connection);
      t.equal(result.ok, true, JSON.stringify(result));
      t.match(resultsOf(result), { tls: tls ? 'ok' : 'not needed', auth: 'ok' });
    }
  });
}
