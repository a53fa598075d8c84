/** TLS: the broker is verified with a CA file. */
import t from 'tap';
import { Authority, writePem } from '../gateway/certificates.js';
import { until } from '../gateway/reader.js';
import { Mosquitto, Watcher } from './mosquitto.js';
import { errorOf, mqttConnection, readTags, setData, startReading, upTo } from './readings.js';

t.test('one broker with TLS', async (t) => {
  const broker = await Mosquitto.start(t, { tls: true });
  const watcher = await Watcher.start(t, broker);
  const reader = await startReading(t);
  const other = writePem(reader.stateDir, 'other', new Authority('Another CA')).cert;
  const secure = (name: string, security: object) =>
    mqttConnection(broker, name, { enableSecurity: true, security });
  const ca = { CACertificateFileLocation: broker.ca };
  await setData(
    reader,
    secure('trusted', ca),
    secure('unchecked', { verifyPeer: false }),
    secure('wrong', { CACertificateFileLocation: other }),
    secure('missing', { CACertificateFileLocation: '/does/not/exist.pem' }),
    mqttConnection(broker, 'byurl', {
      endpoint: `ssl://localhost:${broker.port}`,
      security: ca,
    }),
    mqttConnection(broker, 'plain'),
  );
  const good = ['trusted', 'unchecked', 'byurl'];
  await until('the good ones are in', () =>
    good.every((name) =>
      reader.endpoints.some((one) => one.name === name && one.state === 'connected'),
    ),
  );
  readTags(reader, 20);
  for (const name of good) {
    await until(`all of ${name}`, () => watcher.on(`test/${name}`).length === 20);
    t.same(watcher.numbersOn(`test/${name}`), upTo(20));
  }
  const reasons: [string, RegExp][] = [
    ['wrong', /unable to (verify|get)|self-signed certificate in certificate chain/],
    ['missing', /does not name a file in PEM that this reader takes/],
    ['plain', /closed the connection|ECONNRESET/],
  ];
  for (const [name, reason] of reasons) {
    await until(`why ${name} is not in`, () => errorOf(reader, name) !== '');
    t.match(errorOf(reader, name), reason, name);
    t.equal(watcher.on(`test/${name}`).length, 0);
  }
});
