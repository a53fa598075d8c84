/**
 * Requests of public clients for inputs, outputs, the LED of applications, the password, data for
 * the gateway, and management events.
 */
import t from 'tap';
import type { Operation } from '../../src/reader-gateway/operations/operation.js';
import { OPERATIONS } from '../../src/reader-gateway/operations/table.js';
import { isDone, JSON_TYPE, MqttClient, PublicClient } from './public-clients.js';
import { basic, Listener, PASSWORD, send, TestBroker, TestReader, until } from './reader.js';

const NEW: readonly (Pick<Operation, 'method' | 'path'> & { commands: readonly string[] })[] = [
  { method: 'GET', path: '/cloud/gpi', commands: ['get_gpi_status'] },
  { method: 'GET', path: '/cloud/gpo', commands: ['get_gpo_status'] },
  { method: 'PUT', path: '/cloud/gpo', commands: ['set_gpo'] },
  { method: 'GET', path: '/cloud/app-led', commands: ['get_appled'] },
  { method: 'PUT', path: '/cloud/app-led', commands: ['set_appled'] },
  { method: 'PUT', path: '/cloud/updatePassword', commands: [] },
  { method: 'PUT', path: '/cloud/setdataToRG', commands: ['set_data_to_rg'] },
];

const LEVEL = /^(HIGH|LOW)$/;

t.test('the operations are in the table', async (t) => {
  for (const { method, path, commands } of NEW) {
    const found = OPERATIONS.filter((one) => one.method === method && one.path === path);
    // The password is changed by the login's own door: it may be no operation.
    if (commands.length > 0) t.ok(found.length > 0, `${method} ${path}`);
    for (const command of commands) {
      t.ok(
        found.some(({ mqttCommand }) => mqttCommand === command),
        command,
      );
    }
  }
});

t.test('one reader', async (t) => {
  const broker = new TestBroker();
  await broker.start();
  const listener = new Listener(broker.url, '#');
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
    return commands.length >= 2 && commands.every(({ state }) => state === 'connected');
  });
  const client = await PublicClient.of(reader, { accept: JSON_TYPE });
  const mqtt = new MqttClient(listener);

  t.test('levels of inputs and outputs by their numbers', async (t) => {
    for (const [path, command] of [
      ['/cloud/gpi', 'get_gpi_status'],
      ['/cloud/gpo', 'get_gpo_status'],
    ] as const) {
      const { status, json } = await client.ask('GET', path);
      t.equal(status, 200, path);
      t.match(json, { '1': LEVEL, '2': LEVEL });
      for (const level of Object.values(json)) t.match(level, LEVEL);
      t.match(await mqtt.ask('m', { command, payload: {} }), {
        response: 'success',
        payload: { '1': LEVEL, '2': LEVEL },
      });
    }
  });

  t.test('an output is set with and without the command, wrapped and flat', async (t) => {
    const level = async () => (await client.ask('GET', '/cloud/gpo')).json['1'];
    t.match(await client.ask('PUT', '/cloud/gpo', { port: 1, state: true }), {
      status: 200,
      text: '',
    });
    t.equal(await level(), 'HIGH');
    const named = { command: 'set_gpo', port: 1, state: false };
    isDone(t, await client.ask('PUT', '/cloud/gpo', named), 'with its command');
    t.equal(await level(), 'LOW');
    const wrapped = { command: 'set_gpo', payload: { port: 1, state: true } };
    t.match(await mqtt.ask('m', wrapped), { response: 'success', payload: {} });
    t.equal(await level(), 'HIGH');
    t.match(await mqtt.ask('m', { command: 'set_gpo', port: 1, state: false }), {
      response: 'success',
    });
    t.equal(await level(), 'LOW');
    const wrong = await client.ask('PUT', '/cloud/gpo', { port: 99, state: true });
    t.match(wrong, { status: 400, json: { code: 1, message: /port/ } });
  });

  t.test('the LED by a query string, by a body and over MQTT', async (t) => {
    const state = async () => (await client.ask('GET', '/cloud/app-led')).text.replaceAll('"', '');
    t.equal(await state(), 'DEFAULT');
    const query = '/cloud/app-led?color=green&seconds=60&flash=true';
    isDone(t, await client.ask('PUT', query), 'by the query');
    t.equal(await state(), 'NON_DEFAULT');
    isDone(t, await client.ask('PUT', '/cloud/app-led?color=off&seconds=0'), 'off');
    t.equal(await state(), 'DEFAULT');
    const body = { color: 'amber', seconds: 60, flash: false };
    isDone(t, await client.ask('PUT', '/cloud/app-led', body), 'by a body');
    t.equal(await state(), 'NON_DEFAULT');
    const off = { command: 'set_appled', payload: { color: 'off', seconds: 0 } };
    t.equal((await mqtt.ask('m', off)).response, 'success');
    t.equal(await state(), 'DEFAULT');
    t.equal((await client.ask('PUT', '/cloud/app-led?color=red&seconds=0')).status, 400);
    t.equal((await client.ask('PUT', '/cloud/app-led?color=pink&seconds=5')).status, 400);
  });

  t.test('data for the gateway', async (t) => {
    const { status, json } = await client.ask('PUT', '/cloud/setdataToRG', { any: 'thing' });
    t.ok(status === 200 || (status >= 400 && typeof json.message === 'string'), `${status}`);
    t.not(status, 404);
    t.not(status, 405);
  });

  t.test('management events: a heartbeat on its topic', async (t) => {
    const hostName = '127.0.0.1';
    const connection = {
      type: 'mqtt',
      name: 'health',
      options: {
        endpoint: { hostName, port: broker.port, protocol: 'tcp' },
        enableSecurity: false,
        publishTopic: ['health/m-evt'],
      },
    };
    const heartbeat = {
      interval: 1,
      fields: { radio_control: ['ANTENNAS'], reader_gateway: ['CPU'], system: ['CPU'] },
    };
    const config = {
      'READER-GATEWAY': {
        managementEventConfig: { heartbeat, gpiEvents: true, gpoEvents: true },
        endpointConfig: { management: { event: { connections: [connection] } } },
      },
    };
    isDone(t, await client.ask('PUT', '/cloud/config', config), 'config');
    const events = (type: string) =>
      listener
        .on('health/m-evt')
        .flatMap(({ json }) => json)
        .filter((event) => event.type === type);
    await until('a heartbeat', () => events('heartbeat').length > 0, 20_000);
    t.match(events('heartbeat')[0], {
      component: 'RG',
      eventNum: Number,
      timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d{4}$/,
      data: { radio_control: { antennas: { '1': /connected/ } }, system: { cpu: {} } },
    });
    isDone(t, await client.ask('PUT', '/cloud/gpo', { port: 2, state: true }), 'output');
    await until('the output is told', () => events('gpo').length > 0, 20_000);
    t.match(events('gpo')[0], { data: { pin: 2, state: LEVEL } });
  });

  // Last: it ends the tokens.
  t.test('the password is changed, and told what is wrong', async (t) => {
    const change = (currentPassword: string, newPassword: string) =>
      client.ask('PUT', '/cloud/updatePassword', {
        userName: 'admin',
        currentPassword,
        newPassword,
      });
    const wrong = await change('not it', 'another password 7');
    t.ok([400, 401, 403].includes(wrong.status), `${wrong.status}`);
    const { error, message, details } = wrong.json;
    t.type(error ?? message ?? details, 'string');
    isDone(t, await change(PASSWORD, 'Another-password-7'), 'the right one');
    const login = (password: string) =>
      send(reader.gateway.restUrl, 'GET', '/cloud/localRestLogin', {
        headers: basic('admin', password),
      });
    t.equal((await login('Another-password-7')).status, 200);
    t.equal((await login(PASSWORD)).status, 401);
  });
});
