/** Connection objects of the clouds, on a broker that is as strict about TLS as they are. */
import t from 'tap';
import { until } from '../gateway/reader.js';
import { Mosquitto, Watcher } from './mosquitto.js';
import { readTags, setData, setEndpoints, startReading, upTo } from './readings.js';

t.test('mqtt-AWS and mqtt-AZURE', async (t) => {
  const broker = await Mosquitto.start(t, { tls: true, requireCertificate: true });
  const watcher = await Watcher.start(t, broker);
  const reader = await startReading(t);
  const { cert, key } = broker.issue('thing');
  const cloud = (type: string, topic: string, subscribeTopic?: string) => ({
    type,
    name: `${type} ${topic}`,
    options: {
      endpoint: { hostname: 'localhost', port: broker.port, protocol: 'ssl' },
      enableSecurity: true,
      security: {
        keyFormant: 'PEM',
        keyAlgorithm: 'RSA256',
        CACertificateFileLocation: broker.ca,
        publicKeyFileLocation: cert,
        privateKeyFileLocation: key,
        verifyHostName: true,
      },
      additional: {
        keepAlive: 60,
        cleanSession: false,
        debug: false,
        reconnectDelay: 1,
        reconnectDelayMax: 0,
        clientId: `${type}-${topic}`,
        qos: 1,
      },
      publishTopic: [topic],
      ...(subscribeTopic === undefined ? {} : { subscribeTopic: [subscribeTopic] }),
    },
  });
  await setData(reader, cloud('mqtt-AWS', 'aws/events'), cloud('mqtt-AZURE', 'azure/events'));
  await setEndpoints(reader, {
    control: { commandResponse: { connections: [cloud('mqtt-AWS', 'aws/answer', 'aws/ask')] } },
  });
  await until(
    'all are in',
    () =>
      reader.endpoints.length === 3 && reader.endpoints.every(({ state }) => state === 'connected'),
  );
  readTags(reader, 30);
  for (const topic of ['aws/events', 'azure/events']) {
    await until(`all of ${topic}`, () => watcher.on(topic).length === 30);
    t.same(watcher.numbersOn(topic), upTo(30), topic);
  }
  await watcher.client.publishAsync('aws/ask', JSON.stringify({ command: 'get_version' }));
  await until('the answer', () => watcher.on('aws/answer').length === 1);
  t.match(JSON.parse(watcher.on('aws/answer')[0]?.text ?? ''), { response: 'success' });
});
