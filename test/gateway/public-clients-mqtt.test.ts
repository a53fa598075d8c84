/** Commands of public clients over MQTT: with a payload, and flat. */
import t from 'tap';
import { MqttClient } from './public-clients.js';
import { Listener, TestBroker, TestReader, until } from './reader.js';

t.test('one reader', async (t) => {
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
  await until('the command connections', () => {
    const commands = reader.endpoints.filter((one) =>
      ['control', 'management'].includes(one.interface),
    );
    return commands.length === 2 && commands.every(({ state }) => state === 'connected');
  });
  const client = new MqttClient(listener);

  t.test('a mode as migration examples send it', async (t) => {
    const payload = { type: 'CUSTOM', tagMetaData: ['ANTENNA', 'RSSI'] };
    const set = await client.ask('c', { command: 'set_mode', payload });
    t.match(set, { command: 'set_mode', response: 'success', payload: {} });
    t.same((await client.ask('c', { command: 'get_mode', payload: {} })).payload, payload);
    const whole = await client.ask('c', { command: 'get_mode', payload: { verbose: true } });
    t.match(whole.payload, { ...payload, environment: 'HIGH_INTERFERENCE' });
  });

  t.test('the same answers as over REST, with an empty payload and without one', async (t) => {
    for (const [command, path] of [
      ['get_version', 'version'],
      ['get_network', 'network'],
      ['get_config', 'config'],
      ['get_time_zone', 'timeZone'],
      ['get_reader_capabilities', 'readerCapabilities'],
    ] as const) {
      const { json } = await reader.call('GET', path);
      for (const message of [{ command, payload: {} }, { command }]) {
        const answer = await client.ask('m', message);
        t.match(answer, { command, response: 'success' });
        t.same(answer.payload, json, command);
      }
    }
  });

  t.test('fields beside the command', async (t) => {
    const hops = { command: 'get_supported_region_standard', region: 'hopland' };
    t.equal((await client.ask('m', hops)).payload.SupportedStandards.length, 1);
    const zone = await client.ask('m', { command: 'set_time_zone', timeZone: 'Hawaii' });
    t.equal(zone.response, 'success');
    t.match((await client.ask('m', { command: 'get_time_zone' })).payload, { timeZone: /Hawaii/ });
    const wire = await client.ask('m', { command: 'get_network', interface: 'eth0' });
    t.type(wire.payload.macAddress, 'string');
  });

  t.test('what REST has in the path is in the payload', async (t) => {
    for (const field of ['certname', 'certificate', 'certificates']) {
      const payload = { [field]: 'nothing', type: 'client' };
      const answer = await client.ask('m', { command: 'set_refresh_certificate', payload });
      t.match(answer, { response: 'failure', payload: { code: 5, message: /nothing/ } });
    }
    const app = { command: 'set_start_userapp', payload: { appname: 'nothing' } };
    t.match(await client.ask('m', app), { response: 'failure', payload: { code: 5 } });
    const purge = { command: 'del_logs_syslog', payload: { logType: 'RgErrorLog' } };
    t.match(await client.ask('m', purge), { response: 'success', payload: {} });
  });

  t.test('a failure has the error of REST', async (t) => {
    const answer = await client.ask('c', { command: 'set_mode', payload: { type: 'NO SUCH' } });
    t.match(answer, { command: 'set_mode', response: 'failure', payload: { code: 1 } });
    t.same(answer.payload, (await reader.call('PUT', 'mode', { type: 'NO SUCH' })).json);
  });
});
