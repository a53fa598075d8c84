/** A console client: Bearer token, Accept: application/json, no check of the certificate. */
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { readMacAddress } from '../../src/platform/identity.js';
import { isDone, JSON_TYPE, PublicClient } from './public-clients.js';
import { basic, logFilesOf, PASSWORD, send, TestReader, temporaryFolder, until } from './reader.js';
import { openWebSocket, readTags, streamingReader } from './streams.js';

const ACCEPT = { accept: JSON_TYPE };

t.test('one reader', async (t) => {
  const stateDir = temporaryFolder(t);
  const reader = await TestReader.start(t, { stateDir, logFiles: logFilesOf(t, stateDir) });
  t.teardown(() => reader.gateway.stop());
  const client = await PublicClient.of(reader, ACCEPT);

  t.test('the login has a token where the client looks for it', async (t) => {
    const headers = { ...basic('admin', PASSWORD), ...ACCEPT };
    const { status, json } = await send(reader.gateway.restUrl, 'GET', '/cloud/localRestLogin', {
      headers,
    });
    t.equal(status, 200);
    t.equal(Number(json.code), 0);
    t.equal(String(json.code), '0');
    const keys = ['token', 'bearerToken', 'access_token', 'accessToken', 'jwt', 'JWT', 'message'];
    const token = keys.map((key) => json[key]).find((value) => value !== undefined);
    t.equal(token.split('.').length, 3, 'two dots');
    const wrong = await send(reader.gateway.restUrl, 'GET', '/cloud/localRestLogin', {
      headers: basic('admin', 'wrong'),
    });
    t.ok([401, 403].includes(wrong.status));
    t.type(wrong.json.message, 'string');
  });

  t.test('the version tells that a token is good, and the model', async (t) => {
    const { status, json } = await client.ask('GET', '/cloud/version');
    t.equal(status, 200);
    t.ok(json.model.length > 0);
    for (const field of [
      'readerApplication',
      'radioFirmware',
      'radioControlApplication',
      'cloudAgentApplication',
      'readerOS',
      'readerHardware',
      'readerBootLoader',
      'readerFileSystem',
      'radioApi',
      'serialNumber',
    ]) {
      t.type(json[field], 'string', field);
    }
    for (const field of ['readerApplication', 'readerBootLoader', 'readerFileSystem', 'readerOS']) {
      t.type(json.revertBackFirmware[field], 'string', field);
    }
  });

  t.test('what is shown whole and saved is JSON', async (t) => {
    for (const name of [
      'status',
      'network',
      'region',
      'mode',
      'config',
      'readerCapabilities',
      'timeZone',
      'cableLossCompensation',
      'certificates',
      'logs',
    ]) {
      const { status, headers, text } = await client.ask('GET', `/cloud/${name}`);
      t.equal(status, 200, name);
      t.match(headers['content-type'], /^application\/json/, name);
      t.type(JSON.parse(text), 'object', name);
    }
  });

  t.test('the syslog is a packed archive or a text', async (t) => {
    const { status, bytes } = await client.ask('GET', '/cloud/logs/syslog');
    t.equal(status, 200);
    t.ok(gunzipSync(bytes).length > 0);
  });

  t.test('settings out of a JSON file', async (t) => {
    const settings: [string, object][] = [
      ['mode', { type: 'SIMPLE' }],
      ['config', { 'READER-GATEWAY': { batching: { reportingInterval: 1000 } } }],
      [
        'network',
        { hostName: 'reader', dhcp: true, macAdress: readMacAddress(), networkInterface: {} },
      ],
      ['region', { region: 'listenland' }],
      ['timeZone', { timeZone: 'Hawaii' }],
      ['logs', { radioPacketLog: false, components: [] }],
    ];
    for (const [name, file] of settings) {
      isDone(t, await client.ask('PUT', `/cloud/${name}`, JSON.stringify(file, null, 2)), name);
    }
    const wrong = await client.ask('PUT', '/cloud/mode', { type: 'NO SUCH' });
    t.equal(wrong.status, 400);
    const { error, message, details } = wrong.json;
    t.match(error ?? message ?? details, /type/);
  });

  t.test('what was read can be set again', async (t) => {
    for (const name of ['mode', 'config', 'network', 'region', 'timeZone', 'logs']) {
      const { json } = await client.ask('GET', `/cloud/${name}`);
      isDone(t, await client.ask('PUT', `/cloud/${name}`, json), name);
    }
  });

  t.test('a reboot is accepted with 202', async (t) => {
    t.equal((await client.ask('PUT', '/cloud/reboot', {})).status, 202);
    // What it starts must not outlive the test.
    await until('it is up again', () => reader.reboots === 1);
  });
});

t.test('the WebSocket gives the fields of its table', async (t) => {
  const { reader, token } = await streamingReader(t);
  await reader.call('PUT', 'mode', { type: 'SIMPLE', tagMetaData: ['ANTENNA', 'RSSI'] });
  const client = await openWebSocket(t, reader, '/ws', { authorization: `Bearer ${token}` });
  readTags(reader, 1, 1);
  await until('the event', () => client.events.length > 0);
  const [{ type, timestamp, data }] = client.events;
  t.equal(type, 'SIMPLE');
  t.ok(Number.isFinite(Date.parse(timestamp.replace(/(\d\d)(\d\d)$/, '$1:$2'))));
  t.match(data, { idHex: /^[0-9a-f]+$/, peakRssi: -51, antenna: 1 });
});
