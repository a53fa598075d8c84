/** MQTT commands: the same operations by the other door. */
import t from 'tap';
import { readMacAddress } from '../../src/platform/identity.js';
import { OPERATIONS } from '../../src/reader-gateway/operations/table.js';
import { Authority, writePem } from './certificates.js';
import { Listener, TestBroker, TestReader, until } from './reader.js';

const CERTIFICATE = { name: 'one', type: 'app' };
/** What installs comes before what needs it. */
const IN_ORDER = [...OPERATIONS].sort(
  (one, other) => Number(other.name.startsWith('install')) - Number(one.name.startsWith('install')),
);

t.test('with a broker', async (t) => {
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
    return commands.length === 2 && commands.every(({ state }) => state === 'connected');
  });

  let lastId = 0;
  const responses = (id: string) =>
    listener.messages.filter(({ json }) => json.command_id === id && json.response);
  const ask = async (command: string, payload?: unknown, channel = 'm', flat = {}) => {
    const id = `id ${++lastId}`;
    const message = JSON.stringify({ command, command_id: id, payload, ...flat });
    listener.client.publish(`singulate/${channel}-req`, message);
    await until(`the answer to ${command}`, () => responses(id).length > 0);
    const [answer] = responses(id);
    t.equal(answer?.topic, `singulate/${channel}-res`);
    t.equal(answer?.json.command, command);
    return answer?.json;
  };

  const ca = writePem(reader.stateDir, 'ca', new Authority()).cert;
  /** Requests of operations that have required fields. */
  const NEEDED: Record<string, object> = {
    set_mode: { type: 'SIMPLE' },
    explain_mode: { type: 'SIMPLE' },
    test_connection: { type: 'WEBSOCKET' },
    set_network: { hostName: 'reader', dhcp: true, macAdress: readMacAddress() },
    set_hostname: { hostname: 'reader' },
    set_time_zone: { timeZone: 'Coordinated Universal Time' },
    set_ntp_server: { server: '127.0.0.1' },
    set_name_and_description: { name: 'a', description: 'b' },
    set_cable_loss_compensation: { cableLength: 1, cableLossPerHundredFt: 1 },
    set_appled: { color: 'red', seconds: 1 },
    set_gpo: { port: 1, state: true },
    set_region: { region: 'listenland' },
    get_supported_region_standard: { region: 'listenland' },
    get_supported_country_list: { region: 'listenland' },
    set_update_certificate: { ...CERTIFICATE, CACertificateFileLocation: ca },
    set_refresh_certificate: CERTIFICATE,
    del_certificate: CERTIFICATE,
    create_certificate_request: CERTIFICATE,
    set_importCloudConfig: { endpointConfig: {} },
    set_passthru: { component: 'RC', payload: 'status' },
  };

  /** The device or its login begins again with them; tests of their own have them. */
  const ELSEWHERE = [
    'set_os',
    'set_revertback_os',
    'reset_config',
    'reboot',
    'set_update_password',
  ];

  t.test('every operation of the table is a command on both channels', async (t) => {
    for (const channel of ['c', 'm']) {
      for (const { mqttCommand, method, path, responseSchema, acceptedSchema } of IN_ORDER) {
        if (ELSEWHERE.includes(mqttCommand)) continue;
        if (path.startsWith('/cloud/apps/{')) {
          // It is about something that is not there, and is asked for by name all the same.
          const fields = path.matchAll(/\{(\w+)\}/g);
          const payload = Object.fromEntries([...fields].map(([, field]) => [field, 'nothing']));
          const more =
            mqttCommand === 'set_req_to_userapp' ? { userapp: 'nothing', command: '' } : {};
          const answer = await ask(mqttCommand, { ...payload, ...more }, channel);
          t.match(answer, { response: 'failure', payload: { code: 5 } }, mqttCommand);
          continue;
        }
        if (mqttCommand === 'set_install_userapp') {
          const answer = await ask(mqttCommand, {}, channel);
          t.match(answer, { response: 'failure', payload: { message: /url: is required/ } });
          continue;
        }
        const payload = NEEDED[mqttCommand] ?? {};
        const answer = await ask(mqttCommand, payload, channel);
        t.equal(answer.response, 'success', `${mqttCommand} ${JSON.stringify(answer.payload)}`);
        const hasContent = (responseSchema ?? acceptedSchema) !== undefined;
        if (method === 'PUT' && !hasContent) t.same(answer.payload, {});
      }
    }
  });

  t.test('a response carries what REST answers', async (t) => {
    const mode = { type: 'INVENTORY', transmitPower: [20, 20, 20, 20] };
    t.equal((await ask('set_mode', mode, 'c')).response, 'success');
    t.same((await ask('get_mode', {}, 'c')).payload, mode);
    t.same((await reader.call('GET', 'mode')).json, mode);
    for (const [command, path] of [
      ['get_version', 'version'],
      ['get_config', 'config'],
      ['get_reader_capabilities', 'readerCapabilities'],
    ] as const) {
      t.same((await ask(command)).payload, (await reader.call('GET', path)).json);
    }
    const wrong = { type: 'SIMPLE', antennas: [7] };
    const failed = await ask('set_mode', wrong);
    t.equal(failed.response, 'failure');
    t.same(failed.payload, (await reader.call('PUT', 'mode', wrong)).json);
  });

  t.test('a flat message is taken as well', async (t) => {
    t.equal((await ask('set_mode', undefined, 'c', { type: 'CONVEYOR' })).response, 'success');
    t.same((await reader.call('GET', 'mode')).json, { type: 'CONVEYOR' });
  });

  t.test('start and stop reach the radio', async (t) => {
    t.equal((await ask('start', { doNotPersistState: true }, 'c')).response, 'success');
    t.ok(reader.radio.isReading);
    t.equal((await ask('stop', {}, 'c')).response, 'success');
    t.notOk(reader.radio.isReading);
  });

  t.test('what is no command gets a failure that says why', async (t) => {
    const unknown = await ask('make_coffee');
    t.match(unknown, { response: 'failure', payload: { code: 5, message: /get_mode/ } });
    t.match(await ask('get_mode', 'text'), { response: 'failure', payload: { code: 1 } });
    const before = listener.messages.length;
    for (const text of ['{"command":', '[]', '"x"', '{"command_id":"7"}', '']) {
      listener.client.publish('singulate/m-req', text);
    }
    await until('the failures', () => {
      const failures = listener.messages.slice(before).filter(({ json }) => json.response);
      return failures.length === 5;
    });
    for (const { json } of listener.messages.slice(before)) {
      if (json.response)
        t.match(json, { response: 'failure', payload: { code: 1, message: String } });
    }
  });

  t.test('channels that share a broker and topics answer once', async (t) => {
    const shared = (name: string, clientId?: string) => ({
      type: 'mqtt',
      name,
      options: {
        endpoint: { hostName: '127.0.0.1', port: broker.port },
        ...(clientId === undefined ? {} : { additional: { clientId } }),
        subscribeTopic: ['singulate/m-req'],
        publishTopic: ['singulate/m-res'],
      },
    });
    for (const clientId of [undefined, 'another']) {
      const names = [`control ${clientId}`, `management ${clientId}`];
      const change = {
        'READER-GATEWAY': {
          endpointConfig: {
            control: {
              commandResponse: { connections: [shared(`control ${clientId}`, clientId)] },
            },
            management: { commandResponse: { connections: [shared(`management ${clientId}`)] } },
          },
        },
      };
      t.equal((await ask('set_config', change)).response, 'success', 'answered before it closes');
      await until('the new connections', () => {
        const commands = reader.endpoints.filter(({ name }) => names.includes(name));
        return commands.length === 2 && commands.every(({ state }) => state === 'connected');
      });
      await ask('get_version');
      await ask('get_mode');
      t.equal(responses(`id ${lastId - 1}`).length, 1);
    }
  });
});
