/** The broker publishes the will of a reader that dies; the reader publishes its birth. */
import t from 'tap';
import { until } from '../gateway/reader.js';
import { Mosquitto, Watcher } from './mosquitto.js';
import { mqttConnection, readTags, setData, startReading } from './readings.js';
import { Wire } from './wire.js';

for (const mqttVersion of ['3.1.1', '5']) {
  t.test(`MQTT ${mqttVersion}`, async (t) => {
    const broker = await Mosquitto.start(t);
    const watcher = await Watcher.start(t, broker);
    const wire = await Wire.start(t, broker.port);
    const reader = await startReading(t);
    await setData(
      reader,
      mqttConnection(
        wire,
        'line',
        {},
        {
          mqttVersion,
          qos: 1,
          will: { topic: 'state', payload: 'gone', qos: 1, retain: true },
          birth: { topic: 'state', payload: 'here', qos: 1, retain: true },
        },
      ),
    );
    const states = () => watcher.on('state').map(({ text }) => text);
    // What waits at the time of the connection comes after its birth.
    readTags(reader, 5);
    await until('the events', () => watcher.on('test/line').length === 5);
    t.equal(watcher.seen[0]?.text, 'here');
    t.same(states(), ['here']);

    wire.cut();
    await until('the will, and the birth of the next connection', () => states().length === 3);
    t.same(states(), ['here', 'gone', 'here']);
    const late = await Watcher.start(t, broker);
    await until('the retained state', () => late.on('state').length > 0);
    t.match(late.on('state')[0], { text: 'here', retain: true });

    await reader.gateway.stop();
    await watcher.client.publishAsync('marker', '', { qos: 1 });
    await until('the marker', () => watcher.on('marker').length === 1);
    t.equal(states().length, 3, 'a reader that says goodbye has no will');
  });
}
