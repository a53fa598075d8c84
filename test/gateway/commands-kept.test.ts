/** Commands that a broker kept are not carried out: they would be with every connect. */
import t from 'tap';
import { Listener, TestBroker, TestReader, until } from './reader.js';

t.test('a retained command is not carried out, and gets no answer', async (t) => {
  const broker = new TestBroker();
  await broker.start();
  const listener = new Listener(broker.url, '#');
  await until('the listener is there', () => listener.subscribed);
  const publish = (message: object, retain: boolean) =>
    listener.client.publishAsync('singulate/m-req', JSON.stringify(message), { retain, qos: 1 });
  const kept = { command: 'reboot', command_id: 'kept', payload: {} };
  await publish(kept, true);
  const reader = await TestReader.start(t, { broker });
  t.teardown(async () => {
    await reader.gateway.stop();
    listener.client.end(true);
    await broker.stop();
  });
  const isConnected = () =>
    reader.endpoints
      .filter((one) => ['control', 'management'].includes(one.interface))
      .every(({ state }) => state === 'connected');
  await until('the command connections', () => reader.endpoints.length > 1 && isConnected());
  // Commands are answered in their order: one that was carried out would be answered before.
  await publish({ command: 'get_version', command_id: 'now', payload: {} }, false);
  const ids = () =>
    listener.messages.filter(({ json }) => json.response).map(({ json }) => json.command_id);
  await until('the answer to one that is sent now', () => ids().includes('now'));
  t.same(ids(), ['now']);
  t.equal(reader.reboots, 0);

  // What is sent while the reader listens is meant for now, whether the broker keeps it or not.
  await publish({ command: 'get_version', command_id: 'live', payload: {} }, true);
  await until('the answer to one that comes live', () => ids().includes('live'));
});
