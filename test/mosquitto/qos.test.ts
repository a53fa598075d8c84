/** QoS 0, 1 and 2: every event arrives once, in order, with its QoS. */
import t from 'tap';
import { until } from '../gateway/reader.js';
import { Mosquitto, Watcher } from './mosquitto.js';
import { mqttConnection, readTags, setData, startReading, upTo } from './readings.js';

const EVENTS = 1000;

t.test('three connections', async (t) => {
  const broker = await Mosquitto.start(t);
  const watcher = await Watcher.start(t, broker);
  const reader = await startReading(t);
  await setData(
    reader,
    ...[0, 1, 2].map((qos) => mqttConnection(broker, `qos${qos}`, {}, { qos })),
  );
  await reader.dataConnected();
  readTags(reader, EVENTS);
  for (const qos of [0, 1, 2]) {
    const topic = `test/qos${qos}`;
    await until(`all of ${topic}`, () => watcher.on(topic).length >= EVENTS, 15_000);
    t.same(watcher.numbersOn(topic), upTo(EVENTS));
    t.ok(
      watcher.on(topic).every((message) => message.qos === qos && !message.retain),
      topic,
    );
  }
});
