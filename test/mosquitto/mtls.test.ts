/** The broker wants a certificate of the reader: from files, and from what is installed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { Authority, writePem } from '../gateway/certificates.js';
import { detailOf, resultsOf, tryOut } from '../gateway/connection-tests.js';
import { until } from '../gateway/reader.js';
import { Mosquitto, Watcher } from './mosquitto.js';
import { errorOf, mqttConnection, readTags, setData, startReading, upTo } from './readings.js';

t.test('one broker that wants certificates', async (t) => {
  const broker = await Mosquitto.start(t, { tls: true, requireCertificate: true });
  const watcher = await Watcher.start(t, broker);
  const reader = await startReading(t);
  const own = broker.issue('reader');
  const stranger = writePem(
    reader.stateDir,
    'stranger',
    new Authority('Strangers').issue({ name: 'stranger' }),
  );
  const folder = join(reader.stateDir, 'certificates', 'client', 'line-1');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'ca.pem'), broker.authority.cert);
  writeFileSync(join(folder, 'cert.pem'), own.pair.cert);
  writeFileSync(join(folder, 'key.pem'), own.pair.key);

  const ca = { CACertificateFileLocation: broker.ca };
  const secure = (name: string, security: object) =>
    mqttConnection(broker, name, { enableSecurity: true, security });
  const files = secure('files', {
    ...ca,
    publicKeyFileLocation: own.cert,
    privateKeyFileLocation: own.key,
  });
  const installed = secure('installed', { installedCertificateName: 'line-1' });
  const without = secure('without', ca);
  const wrong = secure('wrong', {
    ...ca,
    publicKeyFileLocation: stranger.cert,
    privateKeyFileLocation: stranger.key,
  });
  const unknown = secure('unknown', { ...ca, installedCertificateName: 'line-2' });
  await setData(reader, files, installed, without, wrong, unknown);
  const good = ['files', 'installed'];
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
  for (const name of ['without', 'wrong', 'unknown']) {
    await until(`why ${name} is not in`, () => errorOf(reader, name) !== '');
    t.equal(watcher.on(`test/${name}`).length, 0);
  }
  t.match(errorOf(reader, 'unknown'), /no client certificate "line-2" is installed/);
  // What the broker said of a certificate may be lost with the connection it ended.
  t.match(errorOf(reader, 'without'), /certificate|closed|ECONNRESET|EPIPE/);

  for (const connection of [files, installed]) {
    t.match(resultsOf(await tryOut(reader, connection)), { tls: 'ok', auth: 'ok' });
  }
  const results: [object, RegExp][] = [
    [without, /wants a client certificate, and the connection has none/],
    [wrong, /refused our client certificate/],
    [unknown, /no client certificate "line-2" is installed/],
  ];
  for (const [connection, reason] of results) {
    const result = await tryOut(reader, connection);
    t.match(resultsOf(result), { tls: 'failed', auth: 'not tried' });
    t.match(detailOf(result, 'tls'), reason);
  }
});
