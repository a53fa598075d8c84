/** What happens to applications, the software and the radio is told. */
import t from 'tap';
import { FakeRadio } from './fake-radio.js';
import { Bench, NOTHING } from './management.js';
import { Listener, radioTarget, TestBroker, temporaryFolder, until } from './reader.js';
import { AppReader, appPackage } from './user-apps.js';

t.test('applications: their states, and what they tell', async (t) => {
  const stateDir = temporaryFolder(t);
  const radio = new FakeRadio();
  await radio.listen(radioTarget(stateDir));
  const broker = new TestBroker();
  await broker.start();
  const listener = new Listener(broker.url);
  await until('the listener is there', () => listener.subscribed);
  t.teardown(async () => {
    listener.client.end(true);
    await broker.stop();
    radio.kill();
  });
  const apps = await AppReader.start(t, { stateDir, radio, broker });
  const fields = { userapps: ['STATUS', 'NUM_DATA_MESSAGES_TXED', 'UPTIME', 'RAM'] };
  await apps.reader.call('PUT', 'managementEventConfig', {
    ...NOTHING,
    userappEvents: true,
    heartbeat: { fields, interval: 1 },
  });
  const events = (type: string) =>
    listener
      .on('singulate/m-evt')
      .map(({ json }) => json)
      .filter((event) => event.type === type);
  const script = `
    import { connect } from 'node:net';
    const socket = connect(process.env.SINGULATE_APP_SOCKET, () => {
      socket.write(JSON.stringify({ type: 'EVENT', data: { door: 'open' } }) + '\\n');
    });
    socket.on('close', () => process.exit(0));`;
  await apps.installed(appPackage('door', script));
  await apps.do('door', 'start');
  await until('it has told something', () =>
    events('userapp').some(({ data }) => data.event !== undefined),
  );
  await until('a heartbeat knows of it', () =>
    events('heartbeat').some(({ data }) => data.userapps[0]?.numDataMessagesTxed === 1),
  );
  const last = events('heartbeat').at(-1).data.userapps;
  t.match(last, [
    { appname: 'door', status: 'running', numDataMessagesTxed: 1, ram: Number, uptime: /^00:00:/ },
  ]);
  t.ok(last[0].ram > 0, 'it uses memory');
  await apps.do('door', 'stop');
  await until('its end is told', () =>
    events('userapp').some(({ data }) => data.state === 'stopped'),
  );
  t.match(
    events('userapp').map(({ component, data }) => [component, data]),
    [
      ['RG', { appname: 'door', state: 'running', lastEnd: '' }],
      ['RG', { appname: 'door', event: { door: 'open' } }],
      ['RG', { appname: 'door', state: 'stopped' }],
    ],
  );
  const asTags = listener.on('singulate/d-evt').map(({ json }) => json);
  t.match(asTags, [{ type: 'USERAPP', data: { appname: 'door', event: { door: 'open' } } }]);
});

t.test('progress of an OS update is told whatever is switched off', async (t) => {
  const bench = new Bench(t);
  bench.apply({});
  const status = {
    status: 'rebooting' as const,
    imageDownloadProgress: 100,
    overallUpdateProgress: 60,
    updateProgressDetails: {
      os: 100,
      rootFileSystem: 100,
      applications: 100,
      radioFirmware: 0,
      platform: 0,
    },
  };
  bench.events.firmware(status);
  t.match(bench.sent, [{ component: 'RG', type: 'firmwareUpdateProgress' }]);
  t.same(bench.sent[0].data, status);
});

t.test('certificates that expire are a warning that can be switched off', async (t) => {
  const bench = new Bench(t);
  bench.apply({ warnings: { certificate: true } });
  const expiring = { type: 'client', name: 'line-1', daysLeft: 12 };
  bench.events.certificate(expiring, 'the certificate line-1 (client) expires in 12 days');
  t.match(bench.sent, [
    {
      component: 'RG',
      type: 'warning',
      data: {
        code: 13,
        subsystem: 'certificate',
        instance: 'client line-1',
        message: 'the certificate line-1 (client) expires in 12 days',
        value: 12,
      },
    },
  ]);
  bench.apply({});
  bench.events.certificate(expiring, '');
  t.equal(bench.sent.length, 1);
});

t.test('the radio and its antennas come and go', async (t) => {
  const bench = new Bench(t);
  bench.isConnected = false;
  bench.apply({ radioEvents: true });
  await bench.seconds(2);
  t.same(bench.sent, []);
  bench.isConnected = true;
  await bench.seconds(6);
  bench.antennas = [2];
  await bench.seconds(6);
  bench.antennas = [1, 2];
  await bench.seconds(6);
  bench.events.reading(true, '');
  bench.events.reading(false, 'duration');
  bench.isConnected = false;
  await bench.seconds(1);
  t.same(
    bench.sent.map(({ component, type, data }) => [component, type, data]),
    [
      ['RC', 'radio', { event: 'connected' }],
      ['RC', 'antenna', { antenna: 1, state: 'disconnected' }],
      ['RC', 'antenna', { antenna: 1, state: 'connected' }],
      ['RC', 'radio', { event: 'readingStarted' }],
      ['RC', 'radio', { event: 'readingStopped', reason: 'duration' }],
      ['RC', 'radio', { event: 'disconnected' }],
    ],
  );
});
