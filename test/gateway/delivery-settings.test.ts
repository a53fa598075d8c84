/** Rules 2, 7 and 9 of the interface's Limits: how batching and retention are changed, and what a reboot loses. */
import t from 'tap';
import { freePort } from '../../bench/delivery/free-port.js';
import { LineClient } from '../delivery/harness.js';
import { FakeRadio, read } from './fake-radio.js';
import { Listener, radioTarget, TestBroker, TestReader, temporaryFolder, until } from './reader.js';

const REQUESTS = 'singulate/m-req';
const RESPONSES = 'singulate/m-res';

const LARGE = { reportingInterval: 30, maxPayloadSizePerReport: '10KB' };

t.test('rules 2 and 9: update-configuration changes batching and retention', async (t) => {
  const broker = new TestBroker();
  await broker.start();
  const listener = new Listener(broker.url);
  await until('the listener is there', () => listener.subscribed);
  const reader = await TestReader.start(t, { broker });
  t.teardown(async () => {
    await reader.gateway.stop();
    listener.client.end(true);
    await broker.stop();
  });
  await reader.call('PUT', 'start');
  const port = await freePort();
  const connections = [
    { type: 'tcpip-server', name: 'line', options: { tcpipport: String(port) } },
  ];
  const config = (more: object) => ({
    'READER-GATEWAY': { endpointConfig: { data: { event: { connections } } }, ...more },
  });
  const arrivals = async (count: number) => {
    let client: LineClient | undefined;
    while (client === undefined) client = await LineClient.connect(port).catch(() => undefined);
    const isIn = () =>
      reader.endpoints.some(({ type, state }) => {
        return type === 'tcpip-server' && state === 'connected';
      });
    await until('it is in', isIn);
    reader.radio.send(...Array.from({ length: count }, (_, i) => read(`0${i}`)));
    await until('all', () => client.arrivals.numbers.length >= count);
    const { messages, numbers } = client.arrivals;
    client.socket.destroy();
    await until('it is gone', () => !isIn());
    return { messages, numbers };
  };

  await t.test('PUT /cloud/config: batching for all connections', async (t) => {
    t.equal((await reader.call('PUT', 'config', config({ batching: LARGE }))).status, 200);
    t.ok((await arrivals(5)).messages.every(({ isArray }) => isArray));
  });

  await t.test('set_config: off again, and no retention', async (t) => {
    const off = { reportingInterval: 0, maxPayloadSizePerReport: 0 };
    const payload = config({ batching: off, retention: { maxNumEvents: 0 } });
    const command = { command: 'set_config', command_id: '7', payload };
    listener.client.publish(REQUESTS, JSON.stringify(command));
    await until('the answer', () => listener.on(RESPONSES).length === 1);
    t.match(listener.on(RESPONSES)[0]?.json, { command_id: '7', response: 'success' });
    const line = () => reader.endpoints.find(({ name }) => name === 'line');
    reader.radio.send(read('0a'));
    await until('nothing is retained', () => (line()?.dropped ?? 0) > 0);
    t.equal(line()?.retained, 0);
    const { messages } = await arrivals(5);
    t.ok(messages.filter(({ isArray }) => !isArray).length >= 5);
    const { json } = await reader.call('GET', 'config');
    t.match(json['READER-GATEWAY'], { batching: off, retention: { maxNumEvents: 0 } });
  });
});

t.test('rule 7: retained events are lost when the reader reboots', async (t) => {
  const stateDir = temporaryFolder(t);
  const radio = new FakeRadio();
  await radio.listen(radioTarget(stateDir));
  t.teardown(() => radio.kill());
  const port = await freePort();
  const before = await TestReader.start(t, { stateDir, radio });
  await before.call('PUT', 'config', {
    'READER-GATEWAY': {
      endpointConfig: {
        data: {
          event: { connections: [{ type: 'tcpip-server', options: { tcpipport: String(port) } }] },
        },
      },
    },
  });
  await before.call('PUT', 'start');
  radio.send(read('01'), read('02'));
  await until('they wait', () => before.endpoints[0]?.retained === 2);
  await before.gateway.stop();

  const after = await TestReader.start(t, { stateDir, radio });
  t.teardown(() => after.gateway.stop());
  await after.call('PUT', 'start');
  let client: LineClient | undefined;
  while (client === undefined) client = await LineClient.connect(port).catch(() => undefined);
  await after.dataConnected();
  radio.send(read('03'));
  await until('the new one', () => client.arrivals.numbers.length > 0);
  t.same(client.arrivals.numbers, [3], 'it alone, and numbers go on');
  t.match(client.arrivals.overflows, [{ firstEventNum: 1, lastEventNum: 2, lost: 2 }]);
  client.socket.destroy();
});
