/** Operating modes on the whole product: REST in, MQTT events out, across a change and a restart. */
import mqtt from 'mqtt';
import t from 'tap';
import { RadioClient } from '../../src/contract/client.js';
import { Product } from './product.js';

const CUSTOM = {
  type: 'CUSTOM',
  query: { session: 'S0' },
  environment: 'LOW_INTERFERENCE',
  reportFilter: { duration: 0, type: 'PER_ANTENNA' },
};

t.test('modes with memory, access and URIs; a change while reading; a restart', async (t) => {
  const product = await Product.start({ args: ['--no-autostart'] });
  t.teardown(() => product.dispose());
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${product.mqttPort}`, product.mqttLogin);
  t.teardown(() => client.endAsync(true));
  // biome-ignore lint/suspicious/noExplicitAny: events as they come
  const events: any[] = [];
  client.on('message', (_topic, payload) => events.push(JSON.parse(payload.toString())));
  await client.subscribeAsync('singulate/d-evt');
  const setMode = async (mode: object) => {
    const answer = await product.call('PUT', '/cloud/mode', mode);
    t.equal(answer.status, 200, answer.text);
  };
  const status = async () => (await product.call('GET', '/cloud/status')).json;

  await t.test('POST says what the mode would do, and sets nothing', async (t) => {
    const { status, json } = await product.call('POST', '/cloud/mode', {
      ...CUSTOM,
      antennas: [2],
      tagMetaData: ['TID[0-5]'],
    });
    t.equal(status, 200);
    t.match(json, { type: 'CUSTOM', linkProfile: 'FM0-640', reportFilter: 'every read' });
    t.match(json.antennas, [{ antenna: 2, powerDbm: 27, access: ['READ TID from 0: 6 words'] }]);
    t.ok(json.tagsPerSecond > 300 && json.tagsPerSecond < json.ceilingTagsPerSecond);
    t.same((await product.call('GET', '/cloud/mode')).json, { type: 'SIMPLE' });
  });

  await t.test('the capabilities list link profiles; a mode takes one by its number', async (t) => {
    const { json } = await product.call('GET', '/cloud/readerCapabilities');
    const { linkProfiles } = json.capabilities;
    t.match(linkProfiles[1], { number: 2, name: 'FM0-640', coding: 'FM0', blfKhz: 640 });
    t.match(linkProfiles[1], { tariUs: 6.25, modulation: 'PR-ASK', fitsRegion: true });
    for (const { number, name } of linkProfiles.slice(0, 3)) {
      const mode = { type: 'SIMPLE', linkProfile: number };
      t.match((await product.call('POST', '/cloud/mode', mode)).json, { linkProfile: name });
    }
    const none = { type: 'SIMPLE', linkProfile: linkProfiles.length + 1 };
    const refused = await product.call('PUT', '/cloud/mode', none);
    t.equal(refused.status, 400);
    t.match(
      refused.json.message,
      /linkProfile: \d+ is no link profile of this radio; allowed: 1\.\./,
    );
  });

  await t.test('a power that the region forbids is refused', async (t) => {
    const { status, json } = await product.call('PUT', '/cloud/mode', {
      ...CUSTOM,
      transmitPower: 31,
    });
    t.equal(status, 400);
    t.match(json.message, /transmitPower: 31 is above the region's \(fcc\) maximum of 30/);
  });

  await t.test('what the radio refuses is named as the mode has it', async (t) => {
    const filter = { match: 'regex', value: '(a+)+$' };
    for (const [method, mode] of [
      ['PUT', { ...CUSTOM, filter }],
      ['POST', { ...CUSTOM, filter }],
    ] as const) {
      const { status, json } = await product.call(method, '/cloud/mode', mode);
      t.equal(status, 400);
      t.match(json.message, /^the radio refuses filter\.value: "\(a\+\)\+\$" given; allowed/);
    }
    t.same((await product.call('GET', '/cloud/mode')).json, { type: 'SIMPLE' });
  });

  await t.test('events carry memory, access results and URIs', async (t) => {
    await setMode({
      ...CUSTOM,
      tagMetaData: ['ANTENNA', 'TID[0-1]', 'TAGURI', 'EPCURI'],
      access: [{ type: 'READ', config: { membank: 'EPC', wordPointer: 1, wordCounter: 1 } }],
    });
    t.equal((await product.call('PUT', '/cloud/start', {})).status, 200);
    const event = await product.until(
      () => events.find(({ data }) => data.TID !== undefined),
      'an event with a TID',
    );
    t.match(event.data, {
      TID: /^e280[0-9a-f]{4}$/,
      TAGURI: /^urn:epc:tag:sgtin-96:2\.9521141\.012345\.\d+$/,
      EPCURI: /^urn:epc:id:sgtin:9521141\.012345\.\d+$/,
      accessResults: [/^3000$/],
    });
  });

  await t.test('a change while reading: events of both modes, no stop, no gap', async (t) => {
    const before = (await status()).tagReads.reads;
    await setMode({ ...CUSTOM, type: 'CONVEYOR', tagMetaData: ['RSSI'] });
    await product.until(() => events.some(({ type }) => type === 'CONVEYOR'), 'the new mode');
    const first = events.findIndex(({ type }) => type === 'CONVEYOR');
    t.ok(events.slice(0, first).every(({ type, data }) => type === 'CUSTOM' && data.antenna));
    t.ok(events.slice(first).every(({ type, data }) => type === 'CONVEYOR' && !data.antenna));
    const numbers = events.map(({ data }) => data.eventNum);
    t.ok(
      numbers.every((number, i) => number === i + 1),
      'event numbers go on without a gap',
    );
    const radio = new RadioClient(product.radioTarget);
    t.teardown(() => radio.close());
    const { counters } = await radio.getStatus();
    t.ok(Number(counters?.changeGapNs) < 10e6, `gap ${counters?.changeGapNs} ns`);
    t.ok((await status()).tagReads.reads >= before, 'the counters go on');
  });

  await t.test('PORTAL waits for its input, and reads when it falls', async (t) => {
    await setMode({ type: 'PORTAL', portalSettings: { stopInterval: 1 } });
    await product.until(async () => (await status()).radioActivitiy === 'inactive', 'it waits');
    const ofPortal = () => events.find(({ type }) => type === 'PORTAL');
    t.notOk(ofPortal());
    const radio = new RadioClient(product.radioTarget);
    t.teardown(() => radio.close());
    await radio.setInput({ port: 1, high: false });
    const event = await product.until(ofPortal, 'an event of the portal');
    t.match(event, { data: { antenna: Number } });
    await radio.setInput({ port: 1, high: true });
  });
  t.equal((await product.call('PUT', '/cloud/stop')).status, 200);

  await t.test('a start that persists, the mode and the reading come back', async (t) => {
    await setMode({
      ...CUSTOM,
      tagMetaData: ['ANTENNA'],
      antennaStopCondition: { type: 'DURATION', value: 40 },
    });
    await product.call('PUT', '/cloud/start', { doNotPersistState: false });
    const mode = (await product.call('GET', '/cloud/mode')).json;
    await product.stop();
    const again = await Product.start({
      stateDir: product.stateDir,
      args: ['--no-autostart'],
    });
    t.teardown(() => again.stop());
    t.same((await again.call('GET', '/cloud/mode')).json, mode);
    await again.until(
      async () => (await again.call('GET', '/cloud/status')).json.radioActivitiy === 'active',
      'it reads again',
    );
  });
});

t.test('DIRECTIONALITY on the array scenario tells who came in', async (t) => {
  const product = await Product.start({
    args: ['--no-autostart', '--scenario', 'array-reader'],
  });
  t.teardown(() => product.dispose());
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${product.mqttPort}`, product.mqttLogin);
  t.teardown(() => client.endAsync(true));
  // biome-ignore lint/suspicious/noExplicitAny: events as they come
  const events: any[] = [];
  client.on('message', (_topic, payload) => events.push(JSON.parse(payload.toString())));
  await client.subscribeAsync('singulate/d-evt');
  const { capabilities } = (await product.call('GET', '/cloud/readerCapabilities')).json;
  t.match(capabilities, { directionalitySupported: true, numGPIs: 2 });
  t.equal(capabilities.antennas.length, 38);
  const { antennas } = (await product.call('GET', '/cloud/status')).json;
  const beams = capabilities.antennas.map(({ port }: { port: number }) => [port, 'connected']);
  t.same(antennas, Object.fromEntries(beams));
  const answer = await product.call('PUT', '/cloud/mode', {
    type: 'DIRECTIONALITY',
    environment: 'LOW_INTERFERENCE',
    delayBetweenAntennaCycles: { type: 'DISABLED', duration: 0 },
    directionalitySettings: { basicConfig: {}, advancedConfig: { report_raw: true } },
  });
  t.equal(answer.status, 200, answer.text);
  await product.call('PUT', '/cloud/start', {});
  const raw = await product.until(
    () => events.find(({ type }) => type === 'RAW_DIRECTIONALITY'),
    'a raw event',
  );
  t.match(raw.data, {
    idHex: /^[0-9a-f]{24}$/,
    azimuth: Number,
    elevation: Number,
    antenna: Number,
  });
  const transition = await product.until(
    () => events.find(({ data }) => data.event === 'TRANSITION'),
    'a tag crosses into another zone',
    25_000,
  );
  const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d{4}$/;
  t.match(transition, {
    type: 'DIRECTIONALITY',
    timestamp: iso,
    data: { zone: String, previousZone: String, firstSeen: iso, lastSeen: iso },
  });
});
