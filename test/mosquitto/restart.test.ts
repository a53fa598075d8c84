/** A broker that is stopped or killed, and started again, misses nothing with QoS 1 and 2. */
import t from 'tap';
import { until } from '../gateway/reader.js';
import { Mosquitto, Watcher } from './mosquitto.js';
import { mqttConnection, readTags, setData, startReading, upTo } from './readings.js';
import { Wire } from './wire.js';

for (const way of ['stop', 'kill'] as const) {
  t.test(`a broker that comes back after a ${way}`, async (t) => {
    const broker = await Mosquitto.start(t);
    const watcher = await Watcher.start(t, broker);
    const wire = await Wire.start(t, broker.port);
    const reader = await startReading(t);
    const names = [1, 2].flatMap((qos) =>
      ['3.1.1', '5'].map((mqttVersion) => ({
        name: `q${qos}v${mqttVersion[0]}`,
        qos,
        mqttVersion,
      })),
    );
    const additionalOptions = { retention: { throttle: 5000 } };
    await setData(
      reader,
      ...names.map(({ name, qos, mqttVersion }) => {
        const additional = { qos, mqttVersion, clientId: name, cleanSession: false };
        return { ...mqttConnection(wire, name, {}, additional), additionalOptions };
      }),
    );
    await reader.dataConnected();
    readTags(reader, 100);
    const distinct = (name: string) => [...new Set(watcher.numbersOn(`test/${name}`))];
    const arrived = (count: number) => names.every(({ name }) => distinct(name).length === count);
    await until('all before', () => arrived(100));
    // What a killed broker had taken and not yet passed on is lost with it.
    if (way === 'stop') readTags(reader, 100);
    await broker[way]();
    if (way === 'kill') readTags(reader, 100);
    await until('the loss shows', () =>
      reader.endpoints.every(({ state }) => state === 'disconnected'),
    );
    readTags(reader, 100);
    // A broker without subscribers throws messages away: the watcher comes first.
    wire.isUp = false;
    await broker.start();
    await until('the watcher is back', () => watcher.isSubscribed);
    wire.isUp = true;
    await until('everything', () => arrived(300), 15_000);
    for (const { name } of names) t.same(distinct(name), upTo(300), `${name}: in order`);
  });
}
