/** Several publish topics: each of them gets every event. */
import t from 'tap';
import { until } from '../gateway/reader.js';
import { Mosquitto, Watcher } from './mosquitto.js';
import { mqttConnection, readTags, setData, startReading, upTo } from './readings.js';

t.test('three topics', async (t) => {
  const broker = await Mosquitto.start(t);
  const watcher = await Watcher.start(t, broker);
  const reader = await startReading(t);
  const publishTopic = ['hall/1', 'hall/all', 'ä/b c'];
  await setData(
    reader,
    mqttConnection(broker, 'q0', { publishTopic }),
    mqttConnection(broker, 'none', { publishTopic: [] }),
  );
  await reader.dataConnected();
  readTags(reader, 200);
  await until('all', () => watcher.seen.length >= 600);
  for (const topic of publishTopic) t.same(watcher.numbersOn(topic), upTo(200), topic);
});
