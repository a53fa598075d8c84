/** MQTT 5 and 3.1.1: a session outlives its connection where cleanSession is false. */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { TestReader, until } from '../gateway/reader.js';
import { Mosquitto, Watcher } from './mosquitto.js';
import { mqttConnection, readTags, setData, setEndpoints, startReading, upTo } from './readings.js';

t.test('events over MQTT 5', async (t) => {
  const broker = await Mosquitto.start(t);
  const watcher = await Watcher.start(t, broker);
  const reader = await startReading(t);
  await setData(reader, mqttConnection(broker, 'five', {}, { mqttVersion: '5', clientId: 'five' }));
  await reader.dataConnected();
  readTags(reader, 50);
  await until('all', () => watcher.on('test/five').length === 50);
  t.same(watcher.numbersOn('test/five'), upTo(50));
  t.match(broker.log, /New client connected .* as five \(p5, c1, /);
});

for (const mqttVersion of ['3.1.1', '5']) {
  t.test(`commands for a reader that is away, over MQTT ${mqttVersion}`, async (t) => {
    const broker = await Mosquitto.start(t);
    const watcher = await Watcher.start(t, broker);
    let reader = await TestReader.start(t);
    t.teardown(() => reader.gateway.stop());
    const commands = (name: string, cleanSession: boolean) =>
      mqttConnection(
        broker,
        name,
        { subscribeTopic: [`${name}/ask`], publishTopic: [`${name}/answer`] },
        { mqttVersion, cleanSession, clientId: name, qos: 1 },
      );
    await setEndpoints(reader, {
      control: { commandResponse: { connections: [commands('keeps', false)] } },
      management: { commandResponse: { connections: [commands('forgets', true)] } },
    });
    const connected = () =>
      reader.endpoints.length === 2 && reader.endpoints.every(({ state }) => state === 'connected');
    const ask = (name: string, id: string, properties = {}) =>
      watcher.client.publishAsync(
        `${name}/ask`,
        JSON.stringify({ command: 'get_version', command_id: id }),
        { qos: 1, properties },
      );
    const answers = (name: string) =>
      watcher.on(`${name}/answer`).map(({ text }) => JSON.parse(text).command_id);
    await until('both connections', connected);
    await reader.gateway.stop();
    await ask('keeps', 'while away');
    await ask('forgets', 'while away');
    // Worth nothing any more when the reader is back, and still worth it.
    await ask('keeps', 'expired', { messageExpiryInterval: 1 });
    await ask('keeps', 'in time', { messageExpiryInterval: 600 });
    await sleep(2500);
    const { stateDir, radio } = reader;
    reader = await TestReader.start(t, { stateDir, radio });
    await until('both connections', connected);
    await ask('keeps', 'back');
    await ask('forgets', 'back');
    await until('the answers', () =>
      ['keeps', 'forgets'].every((name) => answers(name).includes('back')),
    );
    t.same(answers('keeps'), ['while away', 'in time', 'back']);
    t.same(answers('forgets'), ['back']);
  });
}
