/** The default events of each mode, field by field, as the interface documents them. */
import t from 'tap';
import type { TagRead } from '../../src/contract/messages.js';
import { eventText } from '../../src/reader-gateway/delivery/event-bytes.js';
import { TagEventFormatter } from '../../src/reader-gateway/delivery/tag-event.js';
import { IDENTITY, runMode, tagsOf } from './on-air.js';
import { Running } from './running.js';

const EPC = '30340242201d8840000004d2';
const tags = [{ ...tagsOf(1)[0], epc: EPC }] as ReturnType<typeof tagsOf>;
const field = {
  antennas: [{ port: 1, position: [0, 0, 1.5] as [number, number, number], gainDbi: 6 }],
};

/** Golden events: what a client gets from a reader that was only told the mode. */
const GOLDEN: [mode: object, event: object][] = [
  [
    { type: 'SIMPLE' },
    { data: { eventNum: 1, format: 'epc', idHex: EPC }, timestamp: String, type: 'SIMPLE' },
  ],
  [
    { type: 'INVENTORY' },
    {
      data: { antenna: 1, eventNum: 1, format: 'epc', idHex: EPC, peakRssi: Number, reads: Number },
      timestamp: String,
      type: 'INVENTORY',
    },
  ],
  [
    { type: 'CONVEYOR' },
    {
      data: { antenna: 1, eventNum: 1, format: 'epc', idHex: EPC },
      timestamp: String,
      type: 'CONVEYOR',
    },
  ],
  [
    { type: 'CUSTOM' },
    { data: { eventNum: 1, format: 'epc', idHex: EPC }, timestamp: String, type: 'CUSTOM' },
  ],
];

for (const [mode, golden] of GOLDEN) {
  t.test(`${JSON.stringify(mode)} by default`, async (t) => {
    const { events } = await runMode(mode, { tags, field });
    t.equal(events.length, 1);
    t.match(events[0], golden);
    t.same(Object.keys(events[0].data), Object.keys((golden as { data: object }).data), 'no more');
    t.same(Object.keys(events[0]), ['data', 'timestamp', 'type']);
    t.match(events[0].timestamp, /^2026-01-01T00:00:00\.\d{3}\+0000$/);
  });
}

t.test('PORTAL by default, once its input was LOW', async (t) => {
  const running = new Running({ tags, field, inputs: { 1: false } });
  running.setInput(1, false);
  running.start({ type: 'PORTAL' });
  const reports = await running.until((_, all) => all.length > 0);
  await running.stop();
  const formatter = new TagEventFormatter(running.content, IDENTITY);
  const event = JSON.parse(eventText(formatter.format(reports[0] as TagRead), 43));
  t.match(event, {
    data: { antenna: 1, eventNum: 43, format: 'epc', idHex: EPC },
    timestamp: String,
    type: 'PORTAL',
  });
  t.same(Object.keys(event.data), ['antenna', 'eventNum', 'format', 'idHex']);
});

t.test('every radio field, per-read reporting', async (t) => {
  const { events } = await runMode(
    {
      type: 'CUSTOM',
      tagMetaData: [
        'ANTENNA',
        'RSSI',
        'PHASE',
        'CHANNEL',
        'SEEN_COUNT',
        'PC',
        'XPC',
        'CRC',
        'TID',
        'USER[0-1]',
        'MAC',
        'HOSTNAME',
        { userDefined: { dock: 7 } },
        { antennaPortNames: ['gate'] },
      ],
      reportFilter: { duration: 0, type: 'RADIO_WIDE' },
    },
    { tags, field },
  );
  t.same(Object.keys(events[0].data), [
    'CRC',
    'MAC',
    'PC',
    'TID',
    'USER',
    'antenna',
    'antennaName',
    'channel',
    'eventNum',
    'format',
    'hostName',
    'idHex',
    'peakRssi',
    'phase',
    'reads',
    'userDefined',
  ]);
  t.match(events[0].data, {
    CRC: /^[0-9a-f]{4}$/,
    MAC: '00:11:22:33:44:55',
    PC: '3000',
    TID: tags[0]?.tid as string,
    USER: '00112233',
    antenna: 1,
    antennaName: 'gate',
    channel: 915.25,
    format: 'epc',
    hostName: 'reader-1',
    idHex: EPC,
    peakRssi: Number,
    phase: Number,
    reads: 1,
    userDefined: { dock: 7 },
  });
  t.ok(Number.isInteger(events[0].data.peakRssi));
});

t.test('PHASE and CHANNEL are left out unless every read is reported', async (t) => {
  const { events } = await runMode(
    {
      type: 'CUSTOM',
      tagMetaData: ['PHASE', 'CHANNEL', 'RSSI'],
      reportFilter: { duration: 1, type: 'PER_ANTENNA' },
    },
    { tags, field },
  );
  t.same(Object.keys(events[0].data), ['eventNum', 'format', 'idHex', 'peakRssi']);
});
