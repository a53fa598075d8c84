/** What is told can be changed while the reader runs, by set_config and by an operation of its own. */
import t from 'tap';
import { FakeLines, NOTHING } from './management.js';
import { Listener, TestBroker, TestReader, until } from './reader.js';

const PART = 'READER-GATEWAY.managementEventConfig';

t.test('with a reader', async (t) => {
  const broker = new TestBroker();
  await broker.start();
  const listener = new Listener(broker.url);
  await until('the listener is there', () => listener.subscribed);
  const lines = new FakeLines();
  const reader = await TestReader.start(t, { broker, lines });
  t.teardown(async () => {
    await reader.gateway.stop();
    listener.client.end(true);
    await broker.stop();
  });
  const events = () => listener.on('singulate/m-evt').map(({ json }) => json);
  const get = async () => (await reader.call('GET', 'managementEventConfig')).json;
  const setConfig = (managementEventConfig: object | null) =>
    reader.call('PUT', 'config', { 'READER-GATEWAY': { managementEventConfig } });
  await until('all are connected', () => {
    const { endpoints } = reader;
    return endpoints.length === 4 && endpoints.every(({ state }) => state === 'connected');
  });

  await t.test('a reader that was told nothing has the defaults of the interface', async (t) => {
    const config = await get();
    t.match(config, {
      errors: {
        cpu: { threshold: 90, reportIntervalInSec: 1800 },
        flash: { threshold: 90, reportIntervalInSec: 1800 },
        ram: { threshold: 90, reportIntervalInSec: 1800 },
        reader_gateway: true,
        antenna: true,
        database: true,
        radio: true,
        radio_control: true,
      },
      warnings: {
        cpu: { threshold: 80 },
        flash: { threshold: 80 },
        ram: { threshold: 90 },
        temperature: { ambient: 75, pa: 105 },
        database: true,
        radio_api: true,
        radio_control: true,
        reader_gateway: true,
      },
      heartbeat: { interval: 60 },
      gpiEvents: true,
      gpoEvents: true,
      userappEvents: true,
    });
    const { json } = await reader.call('GET', 'config');
    t.same(json['READER-GATEWAY'].managementEventConfig, config);
  });

  await t.test('every documented shape is taken', async (t) => {
    const shapes = {
      errors: {
        cpu: true,
        flash: { threshold: 90 },
        ram: { threshold: 90, reportIntervalInSec: 5 },
        ntp: false,
        userApp: { threshold: 10, reportIntervalInSec: 60 },
        antenna: false,
      },
      warnings: {
        ntp: { threshold: 5, reportIntervalInSec: 10 },
        temperature: { ambient: 60, pa: 90 },
        userapp: { threshold: 10 },
        radio_api: false,
      },
      heartbeat: {
        fields: {
          radio_control: ['ANTENNAS'],
          reader_gateway: ['NUM_DATA_MESSAGES_RXED'],
          system: ['CPU'],
          userapps: ['STATUS'],
          userDefined: { site: 1 },
        },
        interval: 90,
      },
      gpiEvents: false,
    };
    t.match(await setConfig(shapes), { status: 200, text: '' });
    const config = await get();
    t.match(config.errors, { cpu: true, ntp: false, antenna: false, radio: true });
    t.same(config.errors.userapp, { threshold: 10, reportIntervalInSec: 60 }, 'in one spelling');
    t.same(config.warnings.userapp, { threshold: 10, reportIntervalInSec: 1800 });
    t.same(config.heartbeat, shapes.heartbeat);
    t.equal(config.gpiEvents, false);
    t.match(await reader.call('PUT', 'managementEventConfig', config), { status: 200 });
    t.same(await get(), config, 'what is answered can be set');
  });

  const wrong: [string, object, string][] = [
    [
      'an error of no such name',
      { errors: { cup: { threshold: 90 } } },
      'errors.cup: is not known here; known are cpu, flash, ram, ntp',
    ],
    [
      'a warning that is only an error',
      { warnings: { antenna: true } },
      'warnings.antenna: is not known here; known are cpu',
    ],
    [
      'a percentage above 100',
      { errors: { cpu: { threshold: 101 } } },
      'errors.cpu.threshold: 101 is above the maximum of 100',
    ],
    [
      'an entry that is a number',
      { warnings: { temperature: 80 } },
      'warnings.temperature: 80 is not true or false or an object',
    ],
    [
      'a heartbeat field of no such name',
      { heartbeat: { fields: { system: ['CPUS'] }, interval: 60 } },
      'heartbeat.fields.system[0]: "CPUS" is not one of CPU, FLASH, GPI',
    ],
    [
      'a heartbeat once in a month',
      { heartbeat: { interval: 2_592_000 } },
      'heartbeat.interval: 2592000 is above the maximum of 2000000',
    ],
  ];
  for (const [name, change, message] of wrong) {
    await t.test(`${name} is refused by both doors and changes nothing`, async (t) => {
      const before = await get();
      const whole = await setConfig(change);
      t.equal(whole.status, 400);
      t.ok(whole.json.message.includes(`${PART}.${message}`), whole.json.message);
      const own = await reader.call('PUT', 'managementEventConfig', change);
      t.equal(own.status, 400);
      t.ok(own.json.message.startsWith(message), own.json.message);
      t.same(await get(), before);
    });
  }

  await t.test('the heartbeat is switched off alone, and all else stays', async (t) => {
    const thresholds = { errors: { cpu: { threshold: 42 } }, warnings: { ntp: false } };
    const fields = { system: ['CPU'], userDefined: { none: null } };
    t.equal((await setConfig({ ...thresholds, heartbeat: { fields, interval: 9 } })).status, 200);
    const off = { heartbeat: { interval: 0 } };
    t.match(await reader.call('PUT', 'managementEventConfig', off), { status: 200, text: '' });
    const config = await get();
    t.match(config, { errors: { cpu: { threshold: 42 } }, warnings: { ntp: false } });
    t.same(config.heartbeat, { fields, interval: 0 });
    t.equal((await reader.call('PUT', 'managementEventConfig', { gpoEvents: false })).status, 200);
    t.same(await get(), { ...config, gpoEvents: false });
    t.equal((await setConfig({ errors: { ram: false } })).status, 200);
    t.match((await get()).errors, { cpu: { threshold: 42 }, ram: false });
  });

  await t.test('a reader that was told nothing takes an interval without fields', async (t) => {
    t.equal((await setConfig({ heartbeat: null })).status, 200);
    t.equal((await setConfig({ heartbeat: { interval: 0 } })).status, 200);
    t.match((await get()).heartbeat, { fields: { system: Array }, interval: 0 });
  });

  await t.test('null gives an entry, a key or a part its default', async (t) => {
    const whole = {
      errors: { cpu: false, userApp: { threshold: 5 }, radio: false },
      warnings: { cpu: false },
      heartbeat: { fields: { system: ['CPU'] }, interval: 7 },
      gpiEvents: false,
    };
    t.equal((await setConfig(null)).status, 200);
    const defaults = await get();
    t.equal((await setConfig(whole)).status, 200);
    const change = {
      errors: { cpu: null, userapp: null },
      heartbeat: { fields: null },
      gpiEvents: null,
    };
    t.match(await reader.call('PUT', 'managementEventConfig', change), { status: 200, text: '' });
    t.same(await get(), {
      ...defaults,
      errors: { ...defaults.errors, radio: false },
      warnings: { ...defaults.warnings, cpu: false },
      heartbeat: { ...defaults.heartbeat, interval: 7 },
    });
    const rest = { errors: null, warnings: null, heartbeat: null };
    t.equal((await reader.call('PUT', 'managementEventConfig', rest)).status, 200);
    t.same(await get(), defaults);
  });

  await t.test('a change holds at once, and no connection is touched', async (t) => {
    await setConfig({ ...NOTHING });
    listener.messages.length = 0;
    lines.move({ kind: 'gpi', port: 1, level: 'LOW' });
    await setConfig({ ...NOTHING, gpiEvents: true });
    lines.move({ kind: 'gpi', port: 2, level: 'HIGH' });
    lines.move({ kind: 'gpo', port: 1, level: 'HIGH' });
    await until('the input is told', () => events().length > 0);
    const answer = await reader.call('PUT', 'managementEventConfig', {
      ...NOTHING,
      gpoEvents: true,
      heartbeat: { fields: { system: ['HOSTNAME'] }, interval: 1 },
    });
    t.match(answer, { status: 200, text: '' });
    lines.move({ kind: 'gpo', port: 1, level: 'LOW' });
    await until('the heart beats', () => events().some(({ type }) => type === 'heartbeat'));
    t.match(
      events()
        .slice(0, 3)
        .map(({ type, data }) => [type, data]),
      [
        ['gpi', { pin: 2, state: 'HIGH' }],
        ['gpo', { pin: 1, state: 'LOW' }],
        ['heartbeat', { system: { hostname: String } }],
      ],
    );
    const { endpoints } = reader;
    t.ok(endpoints.every(({ state, retried }) => state === 'connected' && retried === 0));
    const [first] = events();
    t.same(
      events().map(({ eventNum }) => eventNum - first.eventNum),
      events().map((_, index) => index),
      'the numbers go on',
    );
  });

  await t.test('over MQTT', async (t) => {
    const ask = async (command: string, payload: object) => {
      const id = `ask ${Math.random()}`;
      const find = () => listener.on('singulate/m-res').find(({ json }) => json.command_id === id);
      const text = JSON.stringify({ command, command_id: id, payload });
      listener.client.publish('singulate/m-req', text);
      await until(`the answer to ${command}`, find);
      return find()?.json;
    };
    const config = { ...NOTHING, errors: { ...NOTHING.errors, ram: { threshold: 77 } } };
    t.match(await ask('set_management_event_config', config), { response: 'success', payload: {} });
    const { payload } = await ask('get_management_event_config', {});
    t.same(payload, await get());
    t.match(payload.errors, { ram: { threshold: 77 }, cpu: false });
    t.match(await ask('set_management_event_config', { errors: { x: true } }), {
      response: 'failure',
      payload: { code: 1, message: /^errors\.x: is not known here/ },
    });
  });
});
