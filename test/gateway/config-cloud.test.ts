/** Import of a cloud configuration, delivery at once, diagnostic questions, and the xml. */
import t from 'tap';
import { read } from './fake-radio.js';
import { Listener, PostTarget, TestBroker, TestReader, until } from './reader.js';

t.test('a cloud configuration', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const connection = { type: 'httpPost', name: 'cloud', options: { URL: 'http://127.0.0.1:9/' } };

  t.test('sets the connections of the paths that it has', async (t) => {
    await reader.call('PUT', 'config', { xml: 'stays' });
    const endpointConfig = { data: { event: { connections: [connection] } } };
    t.match(await reader.call('PUT', 'cloudConfig', { endpointConfig }), { status: 200, text: '' });
    const { json } = await reader.call('GET', 'config');
    t.match(json, { xml: 'stays', 'READER-GATEWAY': { endpointConfig } });
    await until('it is opened', () => reader.endpoints.some(({ name }) => name === 'cloud'));
  });

  t.test('names what is wrong by the paths of its own body', async (t) => {
    for (const [body, message] of [
      [{}, /^endpointConfig: is required$/],
      [
        { endpointConfig: { data: { event: { connections: [{ type: 'x' }] } } } },
        /^endpointConfig\.data\.event\.connections\[0\]\.type: "x"/,
      ],
      [
        { endpointConfig: { data: { event: { connections: [connection, connection] } } } },
        /^endpointConfig\.data\.event\.connections\[1\]\.name: "cloud" is used twice$/,
      ],
    ] as const) {
      const { status, json } = await reader.call('PUT', 'cloudConfig', body);
      t.equal(status, 400);
      t.match(json.message, message);
    }
  });
});

t.test('setdataToRG', async (t) => {
  t.test('sends at once what waits for its batch', async (t) => {
    const target = new PostTarget();
    await target.start();
    t.teardown(() => target.stop());
    const reader = await TestReader.start(t);
    t.teardown(() => reader.gateway.stop());
    const connections = [{ type: 'httpPost', name: 'slow', options: { URL: target.url } }];
    await reader.call('PUT', 'config', {
      'READER-GATEWAY': {
        batching: { reportingInterval: 600_000, maxPayloadSizePerReport: 1_000_000 },
        endpointConfig: { data: { event: { connections } } },
      },
    });
    await reader.call('PUT', 'start');
    reader.radio.send(read('01'), read('02'));
    await until('they wait', () => reader.gateway.waitingEvents === 2);
    t.equal(target.posts.length, 0);
    t.match(await reader.call('PUT', 'setdataToRG', {}), { status: 200, text: '' });
    await until('they are here', () => target.posts.length === 1);
    t.match(target.posts[0]?.json, [{}, {}]);
    reader.radio.send(read('03'));
    await until('the next waits again', () => reader.gateway.waitingEvents === 1);
    t.equal(target.posts.length, 1);
    t.equal((await reader.call('PUT', 'setdataToRG')).status, 200, 'also without a body');
    await until('it is here', () => target.posts.length === 2);
  });

  t.test('refuses data, and says when there is nobody to send to', async (t) => {
    const reader = await TestReader.start(t);
    t.teardown(() => reader.gateway.stop());
    t.match(await reader.call('PUT', 'setdataToRG', { data: 'x' }), {
      status: 400,
      json: { code: 1, message: 'data: is not known here; there are no fields' },
    });
    t.match(await reader.call('PUT', 'setdataToRG', {}), {
      status: 400,
      json: { code: 3, message: /nobody to send to.*data\.event\.connections is empty/ },
    });
  });
});

t.test('pass-through', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const ask = async (payload: string) => {
    const { json } = await reader.call('PUT', 'pass-through', { component: 'RC', payload });
    return JSON.parse(json.response);
  };

  t.test('hands questions to the radio service', async (t) => {
    t.match(await ask('version'), {
      serviceVersion: '0.1.0-fake',
      model: 'Fake radio',
      firmware: '9.8.7',
    });
    t.match(await ask('status'), { state: 'idle', owner: '', inventoryId: '' });
    reader.radio.counters = { reads: 7 };
    await reader.call('PUT', 'start');
    t.match(await ask('status'), {
      state: 'reading',
      owner: 'reader-gateway',
      counters: { reads: 7 },
    });
    t.match(await ask('capabilities'), { antennas: [1, 2, 3, 4], hasSelects: true });
    t.match(await ask('regions'), { region: 'hopland', regions: [{ name: 'hopland' }, {}] });
    t.match(await ask('mode'), { type: 'SIMPLE' });
  });

  t.test('names what can be asked', async (t) => {
    const refused = await reader.call('PUT', 'pass-through', {
      component: 'RG',
      payload: 'reboot',
    });
    t.match(refused, { status: 400, json: { code: 1 } });
    t.match(refused.json.message, 'component: "RG" is not one of RC');
    t.match(
      refused.json.message,
      'payload: "reboot" is not one of version, status, mode, capabilities, regions',
    );
  });

  t.test('says that the radio service is away', async (t) => {
    reader.radio.kill();
    await until('the loss shows', async () => true);
    for (const payload of ['version', 'status', 'regions']) {
      t.match(await reader.call('PUT', 'pass-through', { component: 'RC', payload }), {
        status: 500,
        json: { code: 4 },
      });
    }
  });
});

t.test('the xml comes back byte for byte', async (t) => {
  const reader = await TestReader.start(t);
  const xml = '\uFEFF<?xml version="1.0"?>\r\n<a b="\u00e9\u{1F3F7}\t\'&quot;">\u2028</a>\n\n  ';
  t.equal((await reader.call('PUT', 'config', { xml })).status, 200);
  t.equal((await reader.call('GET', 'config')).json.xml, xml);
  await reader.gateway.stop();
  const { stateDir, radio } = reader;
  const second = await TestReader.start(t, { stateDir, radio });
  t.teardown(() => second.gateway.stop());
  t.equal((await second.call('GET', 'config')).json.xml, xml);
  const longest = 'x'.repeat(400_000);
  t.equal((await second.call('PUT', 'config', { xml: longest })).status, 200);
  t.equal((await second.call('GET', 'config')).json.xml, longest);
  t.match(await second.call('PUT', 'config', { xml: `${longest}x` }), {
    status: 400,
    json: { message: 'xml: is longer than 400000 characters' },
  });
});

t.test('over MQTT the commands have the names that clients use', async (t) => {
  const broker = new TestBroker();
  await broker.start();
  const reader = await TestReader.start(t, { broker });
  const listener = new Listener(broker.url);
  t.teardown(async () => {
    listener.client.end(true);
    await reader.gateway.stop();
    await broker.stop();
  });
  const isOpen = ({ state }: { state: string }) => state === 'connected';
  await until(
    'connections',
    () => listener.subscribed && reader.endpoints.filter(isOpen).length === 4,
  );
  for (const [command, payload, response] of [
    ['set_dataToRG', {}, 'success'],
    ['set_data_to_rg', {}, 'success'],
    ['set_passthru', { component: 'RC', payload: 'mode' }, 'success'],
    ['set_importCloudConfig', { endpointConfig: {} }, 'success'],
    ['set_importCloudConfig', {}, 'failure'],
    ['reset_config', {}, 'failure'],
  ] as const) {
    const answers = () => listener.on('singulate/m-res');
    const before = answers().length;
    listener.client.publish(
      'singulate/m-req',
      JSON.stringify({ command, command_id: '1', payload }),
    );
    await until(command, () => answers().length > before);
    t.match(answers()[before]?.json, { command, response });
  }
});
