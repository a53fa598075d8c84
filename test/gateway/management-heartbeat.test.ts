/** Heartbeats: every field by its exact name, at the interval that was set. */
import t from 'tap';
import { RadioState, type RadioStatus } from '../../src/contract/messages.js';
import { ManagementEvent } from '../../src/reader-gateway/api/management-events.js';
import { findViolations } from '../../src/reader-gateway/api/validate.js';
import type { EndpointStatus } from '../../src/reader-gateway/endpoint-status.js';
import { effectiveEvents } from '../../src/reader-gateway/management/settings.js';
import { Bench, PROCESSORS } from './management.js';

const endpoint: EndpointStatus = {
  interface: 'data',
  name: 'line 1',
  description: 'line 1 broker',
  type: 'mqtt',
  state: 'connected',
  error: '',
  sent: 120,
  retained: 5,
  dropped: 2,
  retried: 1,
};
const space = { total: Number, free: Number, used: Number };

t.test('a heartbeat with all fields', async (t) => {
  const bench = new Bench(t);
  bench.kernel.temperature(0, 'cpu-thermal', 30);
  bench.kernel.temperature(1, 'pa', 33);
  bench.kernel.memory(1_000_000, 600_000);
  bench.kernel.process(process.pid, 1, 0, 25_000);
  bench.kernel.process(777, 777, 60 * PROCESSORS, 15_000);
  bench.kernel.process(778, 777, 60 * PROCESSORS, 5000);
  bench.kernel.process(779, 5, 9999, 9999);
  bench.status = {
    state: RadioState.RADIO_STATE_IDLE,
    inventoryId: 'a',
    counters: { reads: 130, reported: 120, singleSlots: 140, readsByAntenna: { 1: 130 } },
    // 12 s of processor time in 3723 s, of all processors together.
    service: { uptimeMs: 3_723_000, cpuTimeMs: 7446 * PROCESSORS, memoryBytes: 21_504_000 },
  } as unknown as RadioStatus;
  bench.endpoints = [
    endpoint,
    { ...endpoint, interface: 'managementEvent', name: 'events', sent: 9 },
    { ...endpoint, interface: 'management', name: 'commands', sent: 4 },
  ];
  bench.apps = [
    {
      appname: 'door',
      state: 'running',
      uptimeMs: 60_000,
      pid: 777,
      lastEnd: '',
      received: 10,
      sent: 3,
      incomingPercentFree: 99,
      outgoingPercentFree: 100,
    },
  ];
  const { heartbeat } = effectiveEvents();
  const fields = { ...heartbeat?.fields, userDefined: { site: 'dock 4' } };
  bench.apply({ heartbeat: { fields, interval: 60 } });
  await bench.seconds(59);
  t.same(bench.sent, []);
  bench.kernel.load(3, 5);
  await bench.seconds(1);
  const [event] = bench.sent;
  t.same(findViolations(ManagementEvent, event), []);
  t.same(Object.keys(event).sort(), ['component', 'data', 'eventNum', 'timestamp', 'type']);
  t.match(event, { component: 'RG', eventNum: 1, type: 'heartbeat' });
  const { radio_control, reader_gateway, system, userapps, userDefined } = event.data;
  t.same(radio_control, {
    antennas: { 1: 'connected', 2: 'connected' },
    cpu: 0.2,
    numDataMessagesTxed: 120,
    numErrors: 0,
    numRadioPacketsRxed: 140,
    numTagReads: 130,
    numTagReadsPerAntenna: { 1: 130, 2: 0 },
    numWarnings: 0,
    radioActivity: 'inactive',
    radioConnection: 'connected',
    ram: 2.1,
    status: 'running',
    uptime: '01:02:03',
  });
  t.match(reader_gateway.uptime, /^\d\d:\d\d:\d\d$/);
  t.same(
    { ...reader_gateway, uptime: '' },
    {
      cpu: 0,
      dataPathStatistics: [
        {
          numDataMessagesDropped: 2,
          numDataMessagesRetained: 5,
          numDataMessagesRetried: 1,
          numDataMessagesRxed: 127,
          numDataMessagesTxed: 120,
        },
      ],
      interfaceConnectionStatus: {
        data: [
          {
            connectionError: '',
            connectionStatus: 'connected',
            description: 'line 1 broker',
            interface: 'mqtt',
          },
        ],
      },
      nolockqDepth: 7,
      numDataMessagesRxedFromExt: 127,
      numErrors: 0,
      numManagementEventsTxed: 9,
      numWarnings: 0,
      ram: 2.5,
      uptime: '',
    },
  );
  t.match(system.flash, {
    platform: space,
    readerConfig: space,
    readerData: space,
    rootFileSystem: space,
  });
  t.same(
    { ...system, flash: {} },
    {
      GPI: { 1: 'HIGH', 2: 'LOW' },
      GPO: { 1: 'LOW' },
      cpu: { system: 5, user: 3 },
      flash: {},
      hostname: 'READER01',
      macAddress: '00:11:22:33:44:55',
      ntp: { offset: 0, reach: 377 },
      powerNegotiation: 'NOT_APPLICABLE',
      powerSource: 'DC',
      ram: { free: 614_400_000, total: 1_024_000_000, used: 409_600_000 },
      systemtime: event.timestamp,
      temperature: { ambient: 30, pa: 33 },
      uptime: '01:03:00',
    },
  );
  t.same(userapps, [
    {
      appname: 'door',
      cpu: 2,
      incomingDataBufferPercentageRemaining: 99,
      numDataMessagesRxed: 10,
      numDataMessagesTxed: 3,
      outgoingDataBufferPercentageRemaining: 100,
      ram: 2,
      status: 'running',
      uptime: '00:01:00',
    },
  ]);
  t.same(userDefined, { site: 'dock 4' });
});

t.test('a heartbeat has the fields that are asked for, and no others', async (t) => {
  const bench = new Bench(t);
  bench.endpoints = [endpoint];
  bench.apply({
    heartbeat: {
      fields: {
        radio_control: ['ANTENNAS'],
        reader_gateway: ['NUM_DATA_MESSAGES_TXED'],
        system: ['MACADDRESS'],
      },
      interval: 1,
    },
  });
  await bench.seconds(1);
  t.same(bench.sent[0].data, {
    radio_control: { antennas: { 1: 'connected', 2: 'connected' }, status: 'running' },
    reader_gateway: { dataPathStatistics: [{ numDataMessagesTxed: 120 }] },
    system: { macaddress: '00:11:22:33:44:55' },
  });
});

t.test('a radio service that is away is told, with what is still known', async (t) => {
  const bench = new Bench(t);
  const fields = { radio_control: ['ANTENNAS', 'RADIO_CONNECTION'] as const };
  const heartbeat = { fields: { radio_control: [...fields.radio_control] }, interval: 2 };
  bench.apply({ heartbeat });
  await bench.seconds(2);
  bench.status = undefined;
  await bench.seconds(2);
  t.same(
    bench.sent.map(({ data }) => data.radio_control),
    [
      {
        antennas: { 1: 'connected', 2: 'connected' },
        radioConnection: 'connected',
        status: 'running',
      },
      {
        antennas: { 1: 'disconnected', 2: 'disconnected' },
        radioConnection: 'disconnected',
        status: 'stopped',
      },
    ],
  );
});

t.test('another interval holds at once, and the same one goes on undisturbed', async (t) => {
  const bench = new Bench(t);
  const heartbeat = (interval: number) => ({ fields: {}, interval });
  const seconds = () => bench.sent.map(({ timestamp }) => new Date(timestamp).getUTCSeconds());
  bench.apply({ heartbeat: heartbeat(10) });
  await bench.seconds(15);
  bench.apply({ heartbeat: heartbeat(10), gpiEvents: true });
  await bench.seconds(10);
  t.same(seconds(), [10, 20], 'a change elsewhere does not move it');
  bench.apply({ heartbeat: heartbeat(3) });
  await bench.seconds(7);
  t.same(seconds(), [10, 20, 28, 31]);
  bench.apply({ heartbeat: heartbeat(0) });
  await bench.seconds(60);
  t.equal(bench.sent.length, 4);
});

t.test('errors and warnings are counted on their side', async (t) => {
  const bench = new Bench(t);
  bench.status = undefined;
  bench.kernel.memory(1000, 0);
  bench.apply({
    errors: { radio_control: true },
    warnings: { ram: true },
    heartbeat: {
      fields: {
        radio_control: ['NUM_ERRORS', 'NUM_WARNINGS'],
        reader_gateway: ['NUM_ERRORS', 'NUM_WARNINGS'],
      },
      interval: 20,
    },
  });
  await bench.seconds(20);
  const heartbeat = bench.sent.find(({ type }) => type === 'heartbeat');
  t.same(heartbeat.data, {
    radio_control: { numErrors: 1, numWarnings: 0, status: 'stopped' },
    reader_gateway: { numErrors: 0, numWarnings: 1 },
  });
});
