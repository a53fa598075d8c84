import { once } from 'node:events';
import { createServer } from 'node:http';
import mqtt from 'mqtt';
import t from 'tap';
import { PASSWORD, Product } from './product.js';

const HEX = /^[0-9a-f]{24}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d{4}$/;

t.test('a reader without autostart, driven over REST and MQTT', async (t) => {
  // As in a clone: "npm start", and nothing is there yet.
  const product = await Product.start({
    program: 'bootstrap',
    isFirst: true,
    args: ['--no-autostart', '--password', PASSWORD],
  });
  t.teardown(() => product.dispose());
  t.match(product.stderr, /--password can be seen by every program/, 'and how it is not seen');
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${product.mqttPort}`, product.mqttLogin);
  t.teardown(() => client.endAsync(true));
  // biome-ignore lint/suspicious/noExplicitAny: events as they come
  const messages: { topic: string; json: any }[] = [];
  client.on('message', (topic, payload) => {
    messages.push({ topic, json: JSON.parse(payload.toString()) });
  });
  await client.subscribeAsync(['singulate/#', 'site/tags']);

  /** Where the machine stands still the radio misses its time, and is shown as disconnected: then again. */
  const status = () =>
    product.until(async () => {
      const { json } = await product.call('GET', '/cloud/status');
      return json.radioConnection === 'connected' && json;
    }, 'the radio is connected');
  const command = async (name: string, payload: object = {}) => {
    const command_id = String(Math.random());
    const control = ['set_mode', 'get_mode', 'start', 'stop'].includes(name);
    await client.publishAsync(
      control ? 'singulate/c-req' : 'singulate/m-req',
      JSON.stringify({ command: name, command_id, payload }),
    );
    const answer = await product.until(
      () => messages.find(({ json }) => json.command_id === command_id && json.response),
      `${name} is answered`,
    );
    return answer.json;
  };

  const statusByMqtt = () =>
    product.until(async () => {
      const { payload } = await command('get_status');
      return payload.radioConnection === 'connected' && payload;
    }, 'the radio is connected');

  await t.test('login as admin gives a token of three parts', async (t) => {
    t.match(product.token, /^[^.]+\.[^.]+\.[^.]+$/);
    t.equal((await product.call('GET', '/cloud/version', undefined, '')).status, 401);
  });

  await t.test('it does not read before it is told to', async (t) => {
    t.equal((await status()).radioActivitiy, 'inactive');
  });

  await t.test('mode, start, status, stop over REST; events on the default topic', async (t) => {
    const mode = { type: 'INVENTORY', antennas: [1, 2, 3, 4], transmitPower: 27 };
    t.equal((await product.call('PUT', '/cloud/mode', mode)).status, 200);
    t.strictSame((await product.call('GET', '/cloud/mode')).json, mode);
    await product.call('PUT', '/cloud/mode', {
      ...mode,
      inventorySettings: { interval: { value: 1, unit: 'seconds' } },
    });
    t.equal((await product.call('PUT', '/cloud/start', {})).status, 200);
    t.equal((await status()).radioActivitiy, 'active');
    const event = await product.until(
      () => messages.find(({ topic }) => topic === 'singulate/d-evt'),
      'a tag event arrives',
    );
    const told = () => product.lines.filter(({ msg }) => msg === 'first tag event');
    await product.until(() => told().length > 0, 'the log tells of the first one');
    t.equal(told().length, 1);
    t.match(told()[0], { component: 'singulate', ms: Number });
    t.match(event.json, {
      type: 'INVENTORY',
      timestamp: TIMESTAMP,
      data: { idHex: HEX, format: 'epc', antenna: Number, peakRssi: Number, reads: Number },
    });
    t.equal(event.json.data.eventNum, 1);
    t.equal((await product.call('PUT', '/cloud/stop')).status, 200);
    t.equal((await status()).radioActivitiy, 'inactive');
  });

  await t.test('the same by MQTT commands', async (t) => {
    const mode = { type: 'SIMPLE', tagMetaData: ['ANTENNA', 'RSSI'] };
    t.match(await command('set_mode', mode), { command: 'set_mode', response: 'success' });
    t.match(await command('get_mode'), { response: 'success', payload: mode });
    messages.length = 0;
    t.match(await command('start'), { response: 'success' });
    t.match(await statusByMqtt(), { radioActivitiy: 'active' });
    const event = await product.until(
      () => messages.find(({ json }) => json.type === 'SIMPLE'),
      'a SIMPLE event arrives',
    );
    t.strictSame(Object.keys(event.json.data).sort(), [
      'antenna',
      'eventNum',
      'format',
      'idHex',
      'peakRssi',
    ]);
    t.match(await command('stop'), { response: 'success' });
    t.match(await statusByMqtt(), { radioActivitiy: 'inactive' });
    t.match(await command('set_mode', { type: 'SIMPLE', transmitPower: 99 }), {
      response: 'failure',
      payload: { code: 1, message: /transmitPower/ },
    });
  });

  await t.test('events go to the configured MQTT topic and HTTP server', async (t) => {
    // biome-ignore lint/suspicious/noExplicitAny: events as they come
    const posted: any[] = [];
    const http = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      posted.push(...[JSON.parse(body)].flat());
      response.end();
    }).listen(0, '127.0.0.1');
    await once(http, 'listening');
    t.teardown(() => http.close());
    const { port } = http.address() as { port: number };
    const connections = [
      {
        type: 'mqtt',
        name: 'site broker',
        options: {
          endpoint: { hostName: '127.0.0.1', port: product.mqttPort, protocol: 'tcp' },
          enableSecurity: false,
          additional: {
            keepAlive: 60,
            cleanSession: true,
            debug: false,
            reconnectDelay: 1,
            reconnectDelayMax: 5,
            clientId: 'reader-at-site',
            qos: 1,
          },
          publishTopic: ['site/tags'],
        },
      },
      {
        type: 'httpPost',
        name: 'site server',
        options: {
          URL: `http://127.0.0.1:${port}/tags`,
          security: { verifyPeer: false, verifyHost: false, authenticationType: 'NONE' },
        },
        additionalOptions: {
          batching: { reportingInterval: 200, maxPayloadSizePerReport: 256000 },
        },
      },
    ];
    const config = { 'READER-GATEWAY': { endpointConfig: { data: { event: { connections } } } } };
    const answer = await product.call('PUT', '/cloud/config', config);
    t.equal(answer.status, 200, answer.text);
    await product.call('PUT', '/cloud/mode', { type: 'SIMPLE' });
    await product.call('PUT', '/cloud/start', {});
    const onTopic = await product.until(
      () => messages.find(({ topic }) => topic === 'site/tags'),
      'an event arrives on the configured topic',
    );
    const post = await product.until(() => posted[0], 'an event is posted');
    for (const event of [onTopic.json, post]) {
      t.match(event, { type: 'SIMPLE', timestamp: TIMESTAMP, data: { idHex: HEX, format: 'epc' } });
    }
    await product.call('PUT', '/cloud/stop');
  });

  await t.test('an unknown path gives the HTML Not Found page', async (t) => {
    const answer = await product.call('GET', '/cloud/nothing-here');
    t.equal(answer.status, 404);
    t.match(answer.text, /^<!DOCTYPE HTML PUBLIC "-\/\/IETF\/\/DTD HTML 2\.0\/\/EN">/);
    t.match(answer.text, /<h1>Not Found<\/h1>/);
  });

  await t.test('a bad mode gives a JSON error that names each field', async (t) => {
    const answer = await product.call('PUT', '/cloud/mode', {
      type: 'SIMPLE',
      antennas: [1, 9],
      transmitPower: [27, 45],
    });
    t.equal(answer.status, 400);
    t.equal(answer.json.code, 1);
    t.match(answer.json.message, /antennas\[1\]/);
    t.match(answer.json.message, /transmitPower\[1\]/);
  });
});
