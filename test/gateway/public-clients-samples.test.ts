/** Samples of programs on the reader, and viewers in browsers. They have a token here. */
import t from 'tap';
import { isDone, JSON_TYPE, PublicClient, TEXT_JSON } from './public-clients.js';
import { TestReader, until } from './reader.js';
import { openWebSocket, readTags } from './streams.js';

const SAMPLE_MODE = {
  type: 'CUSTOM',
  tagMetaData: ['ANTENNA', 'RSSI', 'SEEN_COUNT'],
  environment: 'AUTO_DETECT',
  reportFilter: { duration: 0, type: 'RADIO_WIDE' },
};
const VIEWER_MODE = {
  type: 'CUSTOM',
  reportFilter: { duration: 0, type: 'PER_ANTENNA' },
  query: { sel: 'ALL', session: 'S3', target: 'B', tagpopulation: 5 },
  selects: [
    {
      target: 'S3',
      action: 'INVB_INVA',
      membank: 'EPC',
      pointer: 32,
      length: 16,
      mask: 'a1b2',
    },
  ],
  tagMetaData: ['ANTENNA', 'RSSI'],
  transmitPower: 26,
  antennaStopCondition: { type: 'DURATION', value: 25 },
};
const LOW = { '1': 'LOW', '2': 'LOW', '3': 'LOW', '4': 'LOW' };

t.test('one reader', async (t) => {
  // The programs set four outputs.
  const reader = await TestReader.start(t, { readerModel: 'fixed-8' });
  t.teardown(() => reader.gateway.stop());
  const json = await PublicClient.of(reader, { 'content-type': JSON_TYPE });
  const textJson = await PublicClient.of(reader, { 'content-type': TEXT_JSON });
  const bare = await PublicClient.of(reader);

  t.test('programs on the reader', async (t) => {
    const version = await json.ask('GET', '/cloud/version');
    t.match(version, { status: 200, json: { readerApplication: /./, serialNumber: String } });
    isDone(t, await json.ask('PUT', '/cloud/mode', SAMPLE_MODE), 'mode');
    isDone(t, await json.ask('PUT', '/cloud/start'), 'start without a body');
    isDone(t, await json.ask('PUT', '/cloud/stop'), 'stop');
    isDone(t, await json.ask('PUT', '/cloud/start', { doNotPersistState: true }), 'start');
    isDone(t, await json.ask('PUT', '/cloud/stop', ''), 'stop with an empty body');
    const config = { 'GPIO-LED': { GPODefaults: LOW } };
    isDone(t, await bare.ask('PUT', '/cloud/config', config), 'config without Content-Type');
  });

  t.test('viewers send text/json', async (t) => {
    isDone(t, await textJson.ask('PUT', '/cloud/stop', ''), 'stop');
    isDone(t, await textJson.ask('PUT', '/cloud/mode', VIEWER_MODE), 'mode');
    isDone(t, await textJson.ask('PUT', '/cloud/start', '{"doNotPersistState":true}'), 'start');
    t.same((await bare.ask('GET', '/cloud/mode')).json.selects, VIEWER_MODE.selects);
  });

  t.test('viewers take /ws without a token once it is an endpoint', async (t) => {
    const connections = [{ type: 'WEBSOCKET', name: 'viewer', options: {} }];
    const config = { 'READER-GATEWAY': { endpointConfig: { data: { event: { connections } } } } };
    isDone(t, await bare.ask('PUT', '/cloud/config', config), 'config');
    const viewer = await openWebSocket(t, reader, '/ws');
    await until('the gateway reads', () => reader.radio.subscribers === 1);
    readTags(reader, 1, 3);
    // JSON values one after the other, as viewers split them.
    const events = () =>
      viewer.messages
        .flatMap((message) => message.split('\n'))
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    await until('the events', () => events().length === 3);
    for (const event of events()) {
      t.notOk(Array.isArray(event));
      t.match(event.data, { antenna: Number, idHex: String, peakRssi: Number });
    }
  });
});
