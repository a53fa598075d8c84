/** Several publish topics: each of them gets every event. */
import t from 'tap';
import { until } from '../gateway/reader.js';
import { Mosquitto, Watcher } from './mosquitto.js';
import { mqttConnection, readTags, setData, startReading, upTo } from './readings.js';

for (const qos of [0, 1, 2]) {
  t.test(`a few topics and many, with QoS ${qos}`, async (t) => {
    const broker = await Mosquitto.start(t);
    const watcher = await Watcher.start(t, broker);
    const reader = await startReading(t);
    const few = ['hall/1', 'hall/all', 'ä/b c'];
    const many = Array.from({ length: 15 }, (_, i) => `many/${i}`);
    await setData(
      reader,
      mqttConnection(broker, 'few', { publishTopic: few }, { qos }),
      mqttConnection(broker, 'many', { publishTopic: many }, { qos }),
    );
    await reader.dataConnected();
    readTags(reader, 100);
    for (const topic of [...few, ...many]) {
      await until(`all of ${topic}`, () => watcher.on(topic).length >= 100);
      t.same(watcher.numbersOn(topic), upTo(100), topic);
    }
  });
}
