/** Requests in every form that public clients know, and the answers in the form they read. */
import t from 'tap';
import { loadModel } from '../../src/shared/reader-model/find-model.js';
import { Authority, pfxOf } from './certificates.js';
import { httpsServer } from './file-servers.js';
import { isDone, PublicClient } from './public-clients.js';
import { TestReader } from './reader.js';
import { AppReader, appPackage } from './user-apps.js';

t.test('one reader', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const client = await PublicClient.of(reader);

  t.test('verbose in the body of a GET: the whole mode, or what was set', async (t) => {
    const set = { type: 'INVENTORY', antennas: [1, 2], transmitPower: [25, 20] };
    isDone(t, await client.ask('PUT', '/cloud/mode', set), 'mode');
    for (const body of [undefined, {}, { verbose: false }]) {
      t.same((await client.ask('GET', '/cloud/mode', body)).json, set);
    }
    const { json } = await client.ask('GET', '/cloud/mode', { verbose: true });
    t.match(json, { ...set, environment: 'HIGH_INTERFERENCE', query: { session: 'S1' } });
    t.same(json.transmitPower, [25, 20], 'an array stays an array');
  });

  t.test('other names of the mode come back as they were set', async (t) => {
    const set = {
      type: 'INVENTORY',
      filter: { match: 'suffix', operation: 'include', value: 'a1b2' },
      modeSpecificSettings: { interval: { unit: 'seconds', value: 5 } },
      query: { session: 2 },
      tagMetaData: ['ANTENNA', { antennaNames: ['in', 'out', 'up', 'down'] }],
      transmitPower: 28.5,
      linkProfile: 2,
    };
    isDone(t, await client.ask('PUT', '/cloud/mode', set), 'mode');
    t.same((await client.ask('GET', '/cloud/mode')).json, set);
  });

  t.test('one interface of the network, by the body of a GET', async (t) => {
    for (const name of ['all', 'eth0']) {
      const { status, json } = await client.ask('GET', '/cloud/network', { interface: name });
      t.equal(status, 200, name);
      for (const field of ['hostName', 'ipAddress', 'gatewayAddress', 'subnetMask', 'dnsAddress']) {
        t.type(json[field], 'string', field);
      }
      t.ok(['true', 'false'].includes(json.dhcp));
      t.match(json.macAddress, /^([0-9A-F]{2}:){5}[0-9A-F]{2}$/i);
    }
  });

  t.test('dhcp as a boolean and as a text', async (t) => {
    const { macAddress: macAdress } = (await client.ask('GET', '/cloud/network')).json;
    const addresses = {
      ipAddress: '192.0.2.10',
      subnetMask: '255.255.255.0',
      gatewayAddress: '192.0.2.1',
      dnsAddress: '192.0.2.1',
    };
    for (const dhcp of [true, 'true', false, 'false']) {
      const set = { hostName: 'reader', dhcp, macAdress, ...addresses };
      isDone(t, await client.ask('PUT', '/cloud/network', set), `dhcp ${JSON.stringify(dhcp)}`);
      t.equal((await client.ask('GET', '/cloud/network')).json.dhcp, String(dhcp));
    }
    isDone(t, await client.ask('PUT', '/cloud/hostname', { hostname: 'dock-1' }), 'host name');
    t.equal((await client.ask('GET', '/cloud/network')).json.hostName, 'dock-1');
  });

  t.test('statistics have both spellings, and texts of digits', async (t) => {
    const { json } = await client.ask('GET', '/cloud/status');
    t.ok(['active', 'inactive'].includes(json.radioActivitiy));
    t.equal(json.radioActivity, json.radioActivitiy);
    t.ok(['DC', 'POE', 'POE+'].includes(json.powerSource));
    t.ok(
      ['DISABLED', 'FAILURE', 'IN_PROGRESS', 'NOT_APPLICABLE', 'SUCCESS'].includes(
        json.powerNegotiation,
      ),
    );
    for (const space of [json.ram, ...Object.values<object>(json.flash)]) {
      t.match(space, { total: /^\d+$/, free: /^\d+$/, used: /^\d+$/ });
    }
    t.match(json.cpu, { user: /^\d+$/, system: /^\d+$/ });
    t.match(json.uptime, /^\d+ days? \d\d:\d\d:\d\d$/);
    t.ok(Number.isFinite(Date.parse(json.systemTime)));
    t.ok(Number.isInteger(json.temperature));
    t.match(json.ntp, { offset: Number, reach: Number });
    t.match(json.antennas, { '1': 'connected' });
    t.ok(Array.isArray(json.interfaceConnectionStatus.data));
  });

  t.test('capabilities have names that strict clients know', async (t) => {
    const { capabilities } = (await client.ask('GET', '/cloud/readerCapabilities')).json;
    const known: Record<string, string[]> = {
      daAppPackageFormat: ['DEBIAN'],
      daLanguageBindings: ['PYTHON', 'NODEJS'],
      externalSerialPort: ['DEBUG', 'USER', 'NONE'],
      keypadSupport: ['28-KEY', 'NONE'],
      messageFormatsSupported: ['JSON'],
      supportedDisplayType: ['LCD', 'NONE'],
      supportedPowerSource: ['DC', 'POE', 'POE+', 'BATTERY'],
      supportedTagDataFormat: ['HEX', 'GS1'],
    };
    for (const [name, values] of Object.entries(known)) {
      t.ok(capabilities[name].length > 0, name);
      for (const value of capabilities[name]) t.ok(values.includes(value), `${name}: ${value}`);
    }
    t.match(capabilities.apiSupported.versions, { version: 'v1', documentation: String });
    t.equal(capabilities.antennas.length, 4);
    t.equal(capabilities.numGPIs, loadModel('fixed-4').gpis);
  });

  t.test('regions and standards', async (t) => {
    const { json } = await client.ask('GET', '/cloud/region');
    t.match(json, { lbtEnabled: /^(true|false)$/, minTxPowerSupported: 100 });
    t.ok(json.channelData.every(Number.isInteger));
    const { SupportedRegions } = (await client.ask('GET', '/cloud/supportedRegionList')).json;
    for (const region of SupportedRegions) {
      const list = await client.ask('GET', '/cloud/supportedStandardList', { region });
      t.match(list.json.SupportedStandards[0], {
        StandardName: String,
        isLBTConfigurable: /^(true|false)$/,
        isHoppingConfigurable: /^(true|false)$/,
      });
    }
  });

  t.test('time, cables and names: 200 without content, or 422 with the reason', async (t) => {
    const cases: [string, object, object][] = [
      ['timeZone', { timeZone: 'Hawaii' }, { timeZone: 'Nowhere' }],
      ['ntpServer', { server: '127.0.0.1' }, { server: 7 }],
      ['nameAndDescription', { name: 'a', description: 'b' }, { name: 7, description: '' }],
      [
        'cableLossCompensation',
        { cableLength: 10, cableLossPerHundredFt: 2.5 },
        { cableLength: -1, cableLossPerHundredFt: 2.5 },
      ],
      ['cableLossCompensation', { '2': { cableLength: 7, cableLossPerHundredFt: 3 } }, { '9': {} }],
    ];
    for (const [name, right, wrong] of cases) {
      t.match(await client.ask('PUT', `/cloud/${name}`, right), { status: 200, text: '' }, name);
      const { status } = await client.ask('PUT', `/cloud/${name}`, wrong);
      t.ok([422, 400].includes(status), `${name}: ${status}`);
    }
    const cables = (await client.ask('GET', '/cloud/cableLossCompensation')).json;
    t.same(Object.keys(cables), ['1', '2', '3', '4']);
    t.same(cables['2'], { cableLength: 7, cableLossPerHundredFt: 3 });
  });

  t.test('logs: the configuration and its components', async (t) => {
    const set = {
      radioPacketLog: false,
      components: [{ componentName: 'cloud_agent', level: 'WARNING' }],
    };
    isDone(t, await client.ask('PUT', '/cloud/logs', set), 'logs');
    const { json } = await client.ask('GET', '/cloud/logs');
    t.equal(json.radioPacketLog, false);
    t.match(
      json.components.find((one: { componentName: string }) => one.componentName === 'cloud_agent'),
      { level: 'WARNING' },
    );
    t.match(await client.ask('DELETE', '/cloud/logs/RgErrorLog'), { status: 200, text: '' });
  });

  t.test('certificates: install, both forms of refresh, delete with a body', async (t) => {
    const authority = new Authority();
    const pair = authority.issue({ name: 'reader' });
    const url = await httpsServer(t, authority.issue({ name: 'web' }), (_request, response) =>
      response.end(pfxOf(pair, 'secret')),
    );
    const install = { name: 'one', certificates: 'one', type: 'client', url: `${url}/one.pfx` };
    const more = { pfxPassword: 'secret', CACertificateFileContent: authority.cert };
    const path = '/cloud/certificates/one';
    t.match(await client.ask('PUT', path, { ...install, ...more }), { status: 200, text: '' });
    for (const refresh of [{ type: 'client' }, { type: 'client', certificate: 'one' }]) {
      t.match(await client.ask('PUT', path, refresh), { status: 200, text: '' });
    }
    const { json } = await client.ask('GET', '/cloud/certificates');
    const record = json.find(({ name }: { name: string }) => name === 'one');
    t.match(record, {
      type: 'client',
      installTime: /^\w{3} \w{3} +\d+ \d\d:\d\d:\d\d \d{4}$/,
      serial: /^\d+$/,
      validityStart: /^\d\d\/\d\d\/\d{4}$/,
      validityEnd: /^\d\d\/\d\d\/\d{4}$/,
      issuerName: String,
      subjectName: String,
      publickey: String,
    });
    const wrong = await client.ask('DELETE', path, { type: 'no type' });
    t.match(wrong, { status: 400, json: { code: 1, message: String } });
    isDone(t, await client.ask('DELETE', path, { type: 'client' }), 'delete');
  });

  t.test('an unknown path is an HTML page, and nothing to revert to is 404', async (t) => {
    const page = await client.ask('GET', '/cloud/no-such-thing');
    t.match(page, { status: 404, text: /<h1>Not Found<\/h1>/ });
    t.match(await client.ask('PUT', '/cloud/revertbackOS'), { status: 404, json: { code: 5 } });
  });
});

t.test('user applications', async (t) => {
  const { reader, server } = await AppReader.start(t);
  const client = await PublicClient.of(reader);
  server.files.set('counter.tar.gz', appPackage('counter'));
  const install = server.request('counter.tar.gz');
  t.match(await client.ask('PUT', '/cloud/apps/install', install), { status: 200, text: '' });
  t.match(await client.ask('PUT', '/cloud/apps/counter/start'), { status: 200, text: '' });
  t.match((await client.ask('GET', '/cloud/apps')).json, [
    { appname: 'counter', autostart: Boolean, metadata: String, runningStatus: true },
  ]);
  const path = '/cloud/apps/counter';
  t.match(await client.ask('PUT', `${path}/autostart`, { autostart: true }), { status: 200 });
  t.match(await client.ask('PUT', `${path}/stop`), { status: 200, text: '' });
  t.match(await client.ask('PUT', `${path}/uninstall`), { status: 200, text: '' });
  t.same((await client.ask('GET', '/cloud/apps')).json, []);
});
