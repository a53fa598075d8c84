/** Export and import of all that was set. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { MASK } from '../../src/reader-gateway/state/secrets.js';
import { Listener, TestBroker, TestReader, temporaryFolder, until } from './reader.js';

const CABLES = { 2: { cableLength: 30, cableLossPerHundredFt: 5 } };
const POST = {
  type: 'httpPost',
  name: 'warehouse',
  options: {
    URL: 'http://127.0.0.1:9/tags',
    security: { authenticationType: 'BEARER', authenticationOptions: { token: 'top-secret' } },
  },
};
const MODE = {
  type: 'CUSTOM',
  antennas: [2, 1],
  access: [{ type: 'ACCESS', config: { password: '12345678' } }],
};

async function setEverything(reader: TestReader): Promise<void> {
  const gateway = { endpointConfig: { data: { event: { connections: [POST] } } } };
  await reader.call('PUT', 'region', { region: 'listenland', channelData: [866_300] });
  await reader.call('PUT', 'config', {
    xml: '<a/>',
    'GPIO-LED': { GPODefaults: { 1: 'HIGH' } },
    'READER-GATEWAY': gateway,
  });
  await reader.call('PUT', 'mode', MODE);
  await reader.call('PUT', 'cableLossCompensation', CABLES);
  await reader.call('PUT', 'nameAndDescription', { name: 'dock 7', description: 'left' });
  await reader.call('PUT', 'logs', {
    components: [{ componentName: 'cloud_agent', level: 'ERROR' }],
  });
}

async function pair(t: Test): Promise<[TestReader, TestReader]> {
  const readers = await Promise.all([TestReader.start(t), TestReader.start(t)]);
  for (const { gateway } of readers) t.teardown(() => gateway.stop());
  return readers as [TestReader, TestReader];
}
t.test('an export holds all that was set, and no secret', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const fresh = await reader.call('GET', 'config/export');
  t.match(fresh.json, { formatVersion: 1, config: {}, mode: { type: 'SIMPLE' }, cableLoss: {} });
  t.notOk('region' in fresh.json || 'nameAndDescription' in fresh.json, 'they were never set');
  await setEverything(reader);
  const { json, text } = await reader.call('GET', 'config/export');
  t.match(json, {
    config: { xml: '<a/>', 'GPIO-LED': { GPODefaults: { 1: 'HIGH' } } },
    mode: { type: 'CUSTOM', antennas: [2, 1], access: [{ config: { password: MASK } }] },
    cableLoss: CABLES,
    region: { region: 'listenland', channels: [866_300] },
    nameAndDescription: { name: 'dock 7', description: 'left' },
    logs: { components: [{ level: 'INFO' }, { componentName: 'cloud_agent', level: 'ERROR' }] },
  });
  t.notMatch(text, 'top-secret');
  t.notMatch(text, '12345678');
});

t.test('what was exported is imported', async (t) => {
  t.test('by the same reader, whose secrets stay', async (t) => {
    const reader = await TestReader.start(t);
    await setEverything(reader);
    const { json } = await reader.call('GET', 'config/export');
    await reader.call('PUT', 'mode', { ...MODE, antennas: [3] });
    await reader.call('PUT', 'nameAndDescription', { name: 'other', description: '' });
    t.match(await reader.call('PUT', 'config/import', json), { status: 200, text: '' });
    t.same((await reader.call('GET', 'config/export')).json, json);
    await reader.gateway.stop();
    const file = (name: string) => readFileSync(join(reader.stateDir, name), 'utf8');
    t.match(file('config.json'), 'top-secret');
    t.match(file('mode.json'), '12345678');
    t.notOk(existsSync(join(reader.stateDir, 'import.json')));
  });

  t.test('by another one, once it has the secrets', async (t) => {
    const [from, to] = await pair(t);
    await setEverything(from);
    const { json } = await from.call('GET', 'config/export');
    const refused = await to.call('PUT', 'config/import', json);
    t.equal(refused.status, 400);
    const at = 'config.READER-GATEWAY.endpointConfig.data.event.connections[0]';
    t.match(
      refused.json.message,
      `${at}.options.security.authenticationOptions.token: is the mask`,
    );
    t.match(refused.json.message, 'mode.access[0].config.password: is the mask');
    json.mode.access[0].config.password = '11111111';
    const [post] = json.config['READER-GATEWAY'].endpointConfig.data.event.connections;
    post.options.security.authenticationOptions.token = 'another';
    t.equal((await to.call('PUT', 'config/import', json)).status, 200);
    t.equal(to.radio.region, 'listenland');
    t.match((await to.call('GET', 'region')).json, { channelData: [866_300] });
    t.match((await to.call('GET', 'cableLossCompensation')).json, CABLES);
    t.match((await to.call('GET', 'status')).json.interfaceConnectionStatus.data, [
      { description: 'warehouse' },
    ]);
  });

  t.test('over MQTT', async (t) => {
    const broker = new TestBroker();
    await broker.start();
    const reader = await TestReader.start(t, { broker });
    const listener = new Listener(broker.url);
    t.teardown(async () => {
      listener.client.end(true);
      await reader.gateway.stop();
      await broker.stop();
    });
    await until('it listens', () => listener.subscribed);
    await until('the reader too', () =>
      reader.endpoints.some(({ state }) => state === 'connected'),
    );
    const ask = async (command: string, payload: object) => {
      const answers = () =>
        listener.on('singulate/m-res').filter(({ json }) => json.command === command);
      const before = answers().length;
      listener.client.publish(
        'singulate/m-req',
        JSON.stringify({ command, command_id: '1', payload }),
      );
      await until(command, () => answers().length > before);
      return answers()[before]?.json;
    };
    await until(
      'commands',
      () => reader.endpoints.filter(({ state }) => state === 'connected').length >= 3,
    );
    const { payload } = await ask('export_config', {});
    t.match(payload, { mode: { type: 'SIMPLE' } });
    payload.mode = { type: 'SIMPLE', antennas: [4] };
    t.match(await ask('import_config', payload), { response: 'success' });
    t.same((await reader.call('GET', 'mode')).json, { type: 'SIMPLE', antennas: [4] });
    t.match(await ask('import_config', { mode: 7 }), {
      response: 'failure',
      payload: { code: 1, message: /mode: 7 is not an object/ },
    });
  });
});

t.test('a part that is not there stays, one that is there is replaced as a whole', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  await setEverything(reader);
  await reader.call('PUT', 'config/import', { config: { xml: 'new' }, cableLoss: {} });
  const { json } = await reader.call('GET', 'config/export');
  t.same(json.config, { xml: 'new' });
  t.same(json.cableLoss, {});
  t.match(json.mode, { type: 'CUSTOM' });
  t.match(json.nameAndDescription, { name: 'dock 7' });
});

t.test('what is wrong is told all at once, and nothing changes', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  await setEverything(reader);
  const before = (await reader.call('GET', 'config/export')).json;
  const shape = await reader.call('PUT', 'config/import', {
    config: { 'READER-GATEWAY': { retention: { maxNumEvents: -1 } } },
    mode: { type: 'SIMPLE', delayAfterSelects: 99 },
    nameAndDescription: { name: '' },
    mood: 1,
  });
  t.equal(shape.status, 400);
  for (const part of [
    'config.READER-GATEWAY.retention.maxNumEvents: -1 is below',
    'mode.delayAfterSelects: 99 is above',
    'nameAndDescription.name: must not be empty',
    'nameAndDescription.description: is required',
    'mood: is not known here; known are formatVersion, config,',
  ]) {
    t.match(shape.json.message, part);
  }
  const meaning = await reader.call('PUT', 'config/import', {
    nameAndDescription: { name: 'x', description: '' },
    mode: { type: 'SIMPLE', antennas: [9], transmitPower: 12 },
    cableLoss: { 7: { cableLength: 1, cableLossPerHundredFt: 1 } },
    region: { region: 'nowhere', channels: [] },
  });
  t.equal(meaning.status, 400);
  for (const part of ['cableLoss[7]: is not one of', 'region.region: "nowhere" is not one of']) {
    t.match(meaning.json.message, part);
  }
  t.match(
    (await reader.call('PUT', 'config/import', { mode: { type: 'SIMPLE', antennas: [9] } })).json,
    { code: 1, message: /^mode\.antennas\[0\]: 9 is not one of/ },
  );
  const newer = await reader.call('PUT', 'config/import', { formatVersion: 2 });
  t.match(newer.json.message, /^formatVersion: is of version 2, written by newer software/);
  t.same((await reader.call('GET', 'config/export')).json, before);
});

t.test('what fails while it is applied is taken back', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  await setEverything(reader);
  const before = (await reader.call('GET', 'config/export')).json;
  const next = {
    region: { region: 'hopland', channels: [] },
    mode: { type: 'SIMPLE' },
    cableLoss: { 1: { cableLength: 1, cableLossPerHundredFt: 1 } },
    nameAndDescription: { name: 'new', description: '' },
    logs: { radioPacketLog: true },
  };
  // The logs come after region, mode and cables.
  reader.radio.refusesPackets = 'this radio has no packets';
  t.match(await reader.call('PUT', 'config/import', next), {
    status: 400,
    json: { message: /no packets/ },
  });
  t.same((await reader.call('GET', 'config/export')).json, before);
  t.equal(reader.radio.region, 'listenland');
  t.notOk(existsSync(join(reader.stateDir, 'import.json')), 'no start will apply it');
  reader.radio.refusesPackets = '';
  await reader.call('PUT', 'start');
  t.match((await reader.call('PUT', 'config/import', next)).json, { code: 3, message: /reads/ });
  t.same((await reader.call('GET', 'config/export')).json, before);
  await reader.call('PUT', 'stop');
  t.equal((await reader.call('PUT', 'config/import', next)).status, 200);
  t.match((await reader.call('GET', 'config/export')).json, next);
});

t.test('a reader that reads goes on with the mode that it imports', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  await reader.call('PUT', 'start');
  t.equal(
    (await reader.call('PUT', 'config/import', { mode: { type: 'SIMPLE', antennas: [3] } })).status,
    200,
  );
  t.same(
    reader.radio.changes[0]?.antennas?.map(({ port }) => port),
    [3],
  );
  t.equal(reader.radio.stops, 0);
});

t.test('an import that a kill cut off is finished by the next start', async (t) => {
  const stateDir = temporaryFolder(t);
  const first = await TestReader.start(t, { stateDir });
  await setEverything(first);
  await first.gateway.stop();
  // As it is between the first and the last store.
  const imported = {
    config: { xml: 'imported' },
    mode: { type: 'SIMPLE', antennas: [1] },
    cableLoss: {},
    nameAndDescription: { name: 'imported', description: '' },
  };
  writeFileSync(join(stateDir, 'import.json'), JSON.stringify(imported));
  writeFileSync(join(stateDir, 'mode.json'), JSON.stringify(imported.mode));
  const second = await TestReader.start(t, { stateDir, radio: first.radio });
  t.teardown(() => second.gateway.stop());
  const { json } = await second.call('GET', 'config/export');
  for (const [part, value] of Object.entries(imported)) t.same(json[part], value, part);
  t.match(json.region, { region: 'listenland' }, 'what was not in it stays');
  t.notOk(existsSync(join(stateDir, 'import.json')));
});
