/** Errors and warnings: thresholds, report intervals, and what is told of each part of the reader. */
import t from 'tap';
import type { RadioStatus } from '../../src/contract/messages.js';
import type { AppFigures } from '../../src/reader-gateway/apps/user-app.js';
import type { EndpointStatus } from '../../src/reader-gateway/endpoint-status.js';
import { Alarms, type Finding } from '../../src/reader-gateway/management/alarms.js';
import { Bench } from './management.js';

const line = (more: Partial<EndpointStatus> = {}): EndpointStatus => ({
  interface: 'data',
  name: 'line',
  description: 'line',
  type: 'mqtt',
  state: 'connected',
  error: '',
  sent: 0,
  retained: 0,
  dropped: 0,
  retried: 0,
  ...more,
});

t.test('memory above its threshold is told at once, and again at the interval', async (t) => {
  const bench = new Bench(t);
  bench.kernel.memory(1000, 50);
  bench.apply({ errors: { ram: { threshold: 95, reportIntervalInSec: 30 } } });
  await bench.seconds(65);
  t.same(bench.alarms, [
    [0, 'error ram', 'the memory in use is 95%, the threshold 95%'],
    [30, 'error ram', 'the memory in use is 95%, the threshold 95%'],
    [60, 'error ram', 'the memory in use is 95%, the threshold 95%'],
  ]);
  t.same(bench.sent[0], {
    component: 'RG',
    data: {
      code: 2,
      subsystem: 'ram',
      message: 'the memory in use is 95%, the threshold 95%',
      value: 95,
      threshold: 95,
    },
    eventNum: 1,
    timestamp: bench.sent[0].timestamp,
    type: 'error',
  });
});

t.test('memory below its threshold is not told', async (t) => {
  const bench = new Bench(t);
  bench.kernel.memory(1000, 51);
  bench.apply({ errors: { ram: { threshold: 95 } } });
  await bench.seconds(20);
  t.ok(bench.asked > 0, 'it was looked at');
  t.same(bench.sent, []);
});

t.test('a value that wavers around its threshold is told once in an interval', async (t) => {
  const bench = new Bench(t);
  bench.kernel.memory(1000, 100);
  bench.apply({ warnings: { ram: { threshold: 90, reportIntervalInSec: 60 } } });
  for (let minute = 0; minute < 2; minute++) {
    for (const available of [300, 100, 300, 100, 300, 100]) {
      await bench.seconds(10);
      bench.kernel.memory(1000, available);
    }
  }
  await bench.seconds(10);
  t.same(
    bench.alarms.map(([second]) => second),
    [0, 65, 125],
  );
});

t.test('the interval 0 is one report, however long it lasts', async (t) => {
  const bench = new Bench(t);
  bench.kernel.memory(1000, 0);
  bench.apply({ errors: { ram: { threshold: 90, reportIntervalInSec: 0 } } });
  await bench.seconds(2000);
  t.equal(bench.alarms.length, 1);
});

t.test('processor load is that of the seconds before', async (t) => {
  const bench = new Bench(t);
  bench.apply({ warnings: { cpu: { threshold: 80, reportIntervalInSec: 1800 } } });
  await bench.seconds(12);
  t.same(bench.alarms, []);
  bench.kernel.load(70, 15);
  await bench.seconds(5);
  t.match(bench.alarms, [[/./, 'warning cpu', 'the processor load is 85%, the threshold 80%']]);
});

t.test('true stands for the default threshold, and warnings come beside errors', async (t) => {
  const bench = new Bench(t);
  bench.kernel.memory(1000, 80);
  bench.apply({ errors: { ram: true }, warnings: { ram: true } });
  await bench.seconds(2);
  t.same(
    bench.sent.map(({ type, data }) => [type, data.threshold]),
    [
      ['error', 90],
      ['warning', 90],
    ],
  );
});

t.test('ambient and amplifier temperature have a limit each', async (t) => {
  const bench = new Bench(t);
  bench.kernel.temperature(0, 'cpu-thermal', 80);
  bench.kernel.temperature(1, 'rf-pa', 104);
  bench.apply({ warnings: { temperature: { ambient: 75, pa: 105, reportIntervalInSec: 1800 } } });
  await bench.seconds(6);
  t.same(
    bench.sent.map(({ data }) => [data.instance, data.value, data.threshold]),
    [['ambient', 80, 75]],
  );
  bench.kernel.temperature(1, 'rf-pa', 110);
  await bench.seconds(6);
  t.match(bench.sent[1].data, { instance: 'pa', value: 110, threshold: 105, code: 5 });
});

t.test('the fullest file system counts for flash', async (t) => {
  const bench = new Bench(t);
  bench.apply({ errors: { flash: { threshold: 0 } } });
  await bench.seconds(2);
  t.match(bench.alarms, [
    [
      0,
      'error flash',
      /^the flash in use \((rootFileSystem|platform|reader\w+)\) is [\d.]+%, the th/,
    ],
  ]);
  bench.apply({ errors: { flash: { threshold: 100 } } });
  await bench.seconds(2);
  t.equal(bench.alarms.length, 1);
});

t.test(
  'the clock: a large offset is a warning until its server is silent, which is an error',
  async (t) => {
    const bench = new Bench(t);
    bench.apply({
      errors: { ntp: true },
      warnings: { ntp: { threshold: 500, reportIntervalInSec: 1 } },
    });
    bench.ntp.offset = -900;
    await bench.seconds(2);
    t.same(bench.alarms, [], 'without a server there is nothing to tell');
    bench.ntp.answers = true;
    await bench.seconds(2);
    const warnings = () => bench.alarms.filter(([, kind]) => kind === 'warning ntp');
    const told = warnings();
    t.match(told[0], [/./, 'warning ntp', /is 900 ms, the threshold 500 ms/]);
    bench.ntp.answers = false;
    await bench.seconds(5);
    const errors = bench.alarms.filter(([, kind]) => kind === 'error ntp');
    t.match(errors, [[/./, 'error ntp', 'the NTP server does not answer']]);
    t.same(warnings(), told, 'what was measured before says nothing of now');
  },
);

t.test('the radio service and its module are told apart, after a while', async (t) => {
  const bench = new Bench(t);
  const { status } = bench;
  bench.apply({ errors: { radio: true, radio_control: true } });
  await bench.seconds(3);
  bench.isConnected = false;
  await bench.seconds(4);
  t.same(bench.alarms, [], 'a service that is restarted is away for a moment');
  await bench.seconds(3);
  t.match(bench.sent, [{ component: 'RC', data: { subsystem: 'radio', code: 8 } }]);
  bench.status = undefined;
  await bench.seconds(8);
  t.same(
    bench.alarms.map(([, what]) => what),
    ['error radio', 'error radio_control'],
  );
  bench.status = status;
  bench.isConnected = true;
  await bench.seconds(3);
  bench.isConnected = false;
  await bench.seconds(8);
  t.equal(bench.alarms.length, 3, 'a second outage is told without waiting for the interval');
});

t.test('what keeps the reader from reading is a warning of radio_api', async (t) => {
  const bench = new Bench(t);
  bench.apply({ warnings: { radio_api: true } });
  bench.reading.trouble = 'the radio is in use by other';
  await bench.seconds(2);
  t.match(bench.alarms, [[/./, 'warning radio_api', 'no reading: the radio is in use by other']]);
});

t.test('an antenna that is gone is told until it is back', async (t) => {
  const bench = new Bench(t);
  bench.apply({ errors: { antenna: { reportIntervalInSec: 10 } } });
  await bench.seconds(6);
  t.same(bench.sent, []);
  bench.antennas = [1];
  await bench.seconds(6);
  t.match(bench.sent, [{ type: 'error', component: 'RC', data: { instance: '2', code: 7 } }]);
  await bench.seconds(10);
  t.equal(bench.sent.length, 2);
  bench.antennas = [1, 2];
  await bench.seconds(40);
  t.equal(bench.sent.length, 2);
});

t.test('lost reads and lost events are told with their number', async (t) => {
  const bench = new Bench(t);
  bench.apply({ errors: { reader_gateway: true }, warnings: { radio_control: true } });
  bench.endpoints = [line()];
  await bench.seconds(2);
  bench.endpoints = [line({ dropped: 12 })];
  bench.reading.missed = 3;
  bench.status = { inventoryId: 'a', counters: { dropped: 4 } } as unknown as RadioStatus;
  await bench.seconds(2);
  t.match(bench.alarms, [
    [/./, 'error reader_gateway', 'the connection line has lost 12 events'],
    [/./, 'warning radio_control', '7 reads were lost'],
  ]);
});

t.test('a connection that stays away is a warning, one that is set up is not', async (t) => {
  const bench = new Bench(t);
  bench.apply({ warnings: { reader_gateway: true } });
  bench.endpoints = [line({ state: 'disconnected', error: 'refused' })];
  await bench.seconds(8);
  t.same(bench.sent, []);
  await bench.seconds(4);
  t.match(bench.alarms, [
    [10, 'warning reader_gateway', 'the data connection line is disconnected: refused'],
  ]);
});

t.test('an application that does not run is told after the seconds of its threshold', async (t) => {
  const bench = new Bench(t);
  bench.apply({ errors: { userapp: { threshold: 20 } }, warnings: { userapp: { threshold: 5 } } });
  const app = { appname: 'door', state: 'running', lastEnd: '' } as AppFigures;
  bench.apps = [app];
  await bench.seconds(30);
  t.same(bench.sent, []);
  bench.apps = [{ ...app, state: 'waiting', lastEnd: 'exit code 3' }];
  await bench.seconds(30);
  t.same(bench.alarms, [
    [36, 'warning userapp', 'the application door does not run: exit code 3'],
    [51, 'error userapp', 'the application door does not run: exit code 3'],
  ]);
});

t.test('nothing is looked at when nothing is switched on, or nobody listens', async (t) => {
  const bench = new Bench(t);
  bench.apply({});
  await bench.seconds(20);
  t.equal(bench.asked, 0);
  bench.apply({ errors: { ram: { threshold: 0 } } }, false);
  await bench.seconds(20);
  t.equal(bench.asked, 0);
  bench.apply({ errors: { ram: { threshold: 0 } } });
  await bench.seconds(20);
  t.equal(bench.asked, 21, 'once a second');
  t.equal(bench.sent.length, 1);
});

t.test('a change holds at once and leaves what was told as it is', async (t) => {
  const bench = new Bench(t);
  bench.kernel.memory(1000, 150);
  const ram = { threshold: 80, reportIntervalInSec: 100 };
  bench.apply({ warnings: { ram } });
  await bench.seconds(10);
  bench.apply({ warnings: { ram }, errors: { ram: { threshold: 85 } } });
  await bench.seconds(1);
  t.same(
    bench.alarms.map(([second, what]) => [second, what]),
    [
      [0, 'warning ram'],
      [10, 'error ram'],
    ],
  );
  bench.apply({ warnings: { ram: false } });
  await bench.seconds(200);
  t.equal(bench.alarms.length, 2);
});

t.test('one that lasts long enough is told once it has', async (t) => {
  const alarms = new Alarms();
  const finding: Finding = {
    level: 'error',
    component: 'RG',
    subsystem: 'database',
    message: '',
    intervalMs: 1000,
    holdMs: 50,
  };
  t.equal(alarms.due([finding], 0).length, 0);
  t.equal(alarms.due([], 40).length, 0);
  t.equal(alarms.due([finding], 60).length, 0, 'it was gone meanwhile');
  t.equal(alarms.due([finding], 110).length, 1);
  t.equal(alarms.due([finding], 1109).length, 0);
  t.equal(alarms.due([finding], 1110).length, 1);
});
