/** A broker keeps the last event of a connection with retain, and none of one without. */
import t from 'tap';
import { until } from '../gateway/reader.js';
import { Mosquitto, Watcher } from './mosquitto.js';
import { mqttConnection, readTags, setData, startReading } from './readings.js';

t.test('who subscribes late gets the last event', async (t) => {
  const broker = await Mosquitto.start(t);
  const early = await Watcher.start(t, broker);
  const reader = await startReading(t);
  await setData(
    reader,
    mqttConnection(broker, 'kept', {}, { retain: true, qos: 1 }),
    mqttConnection(broker, 'passing', {}, { retain: false, qos: 1 }),
  );
  await reader.dataConnected();
  readTags(reader, 3);
  await until(
    'all events',
    () => early.on('test/kept').length + early.on('test/passing').length === 6,
  );
  const late = await Watcher.start(t, broker);
  await until('the kept one', () => late.on('test/kept').length === 1);
  t.same(late.numbersOn('test/kept'), [3]);
  t.equal(late.on('test/kept')[0]?.retain, true);
  // After everything that was retained.
  await late.client.publishAsync('test/marker', 'x', { qos: 1 });
  await until('the marker', () => late.on('test/marker').length === 1);
  t.equal(late.on('test/passing').length, 0);
});
