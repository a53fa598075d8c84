/** QoS 0, 1 and 2: every event arrives once, in order, with its QoS. */
import t from 'tap';
import { until } from '../gateway/reader.js';
import { Mosquitto, Watcher } from './mosquitto.js';
import { mqttConnection, readTags, setData, startReading, upTo } from './readings.js';

const EVENTS = 1000;
/** max_inflight_messages of a Mosquitto that was not told another. */
const MOST_IN_FLIGHT = 20;

for (const mqttVersion of ['3.1.1', '5']) {
  t.test(`three connections with MQTT ${mqttVersion}`, async (t) => {
    const broker = await Mosquitto.start(t);
    const watcher = await Watcher.start(t, broker);
    const reader = await startReading(t);
    const names = [0, 1, 2].map((qos) => `qos${qos}`);
    await setData(
      reader,
      ...names.map((clientId, qos) =>
        mqttConnection(broker, clientId, {}, { qos, mqttVersion, clientId }),
      ),
    );
    await reader.dataConnected();
    readTags(reader, EVENTS);
    for (const [qos, name] of names.entries()) {
      const topic = `test/${name}`;
      await until(`all of ${topic}`, () => watcher.on(topic).length >= EVENTS, 15_000);
      t.same(watcher.numbersOn(topic), upTo(EVENTS));
      t.ok(
        watcher.on(topic).every((message) => message.qos === qos && !message.retain),
        topic,
      );
    }
    const most = mostInFlight(broker.log, 'qos2');
    t.ok(most > 1 && most <= MOST_IN_FLIGHT, `${most} messages of QoS 2 were on the way`);
    t.notMatch(broker.log, /Bad socket|protocol error/i);
  });
}

/** Messages of QoS 2 that the broker had and the client had not released, by the log. */
function mostInFlight(log: string, clientId: string): number {
  let [now, most] = [0, 0];
  for (const line of log.split('\n')) {
    if (line.includes(`Received PUBLISH from ${clientId} `)) most = Math.max(most, ++now);
    if (line.includes(`Received PUBREL from ${clientId} `)) now--;
  }
  return most;
}
