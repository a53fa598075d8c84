/** User name and password. */
import t from 'tap';
import { detailOf, resultsOf, tryOut } from '../gateway/connection-tests.js';
import { until } from '../gateway/reader.js';
import { Mosquitto, Watcher } from './mosquitto.js';
import { errorOf, mqttConnection, readTags, setData, startReading, upTo } from './readings.js';

t.test('one broker with a password', async (t) => {
  const broker = await Mosquitto.start(t, { users: { reader: 'right' } });
  const watcher = await Watcher.start(t, broker);
  const reader = await startReading(t);
  const connection = (name: string, password?: string, mqttVersion = '3.1.1') =>
    mqttConnection(
      broker,
      name,
      password === undefined ? {} : { basicAuthentication: { username: 'reader', password } },
      { mqttVersion },
    );
  await setData(
    reader,
    connection('right', 'right'),
    connection('right5', 'right', '5'),
    connection('wrong', 'wrong'),
    connection('wrong5', 'wrong', '5'),
    connection('anonymous'),
  );
  await until('the right ones are in', () =>
    ['right', 'right5'].every((name) =>
      reader.endpoints.some((one) => one.name === name && one.state === 'connected'),
    ),
  );
  readTags(reader, 20);
  for (const topic of ['test/right', 'test/right5']) {
    await until(`all of ${topic}`, () => watcher.on(topic).length === 20);
    t.same(watcher.numbersOn(topic), upTo(20));
  }
  for (const name of ['wrong', 'wrong5', 'anonymous']) {
    await until(`why ${name} is not in`, () => errorOf(reader, name) !== '');
    t.match(errorOf(reader, name), /Connection refused: Not authorized/i, name);
    t.equal(watcher.on(`test/${name}`).length, 0);
  }
  for (const mqttVersion of ['3.1.1', '5']) {
    const refused = await tryOut(reader, connection('wrong', '********', mqttVersion));
    t.match(resultsOf(refused), { tcp: 'ok', tls: 'not needed', auth: 'failed' });
    t.match(detailOf(refused, 'auth'), /Not authorized/i);
    const accepted = await tryOut(reader, connection('right', '********', mqttVersion));
    t.match(resultsOf(accepted), { tcp: 'ok', tls: 'not needed', auth: 'ok' });
  }
});
