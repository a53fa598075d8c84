import { join } from 'node:path';
import t, { type Test } from 'tap';
import { RECORD, RECORD_BYTES } from '../../src/radio-control/record.js';
import { loadRecording, type Recording } from '../../src/radio-control/replay/load-recording.js';
import { isSingulateError } from '../../src/shared/errors.js';

const hex = (text: string) => Buffer.from(text).toString('hex');

function read({ records }: Recording, index: number) {
  const b = Buffer.from(records.buffer, records.byteOffset + index * RECORD_BYTES, RECORD_BYTES);
  return {
    timeNs: b.readBigUInt64LE(RECORD.timeNs),
    frequencyKhz: b.readUInt32LE(RECORD.frequencyKhz),
    rssiCdbm: b.readInt16LE(RECORD.rssiCdbm),
    phaseCdeg: b.readUInt16LE(RECORD.phaseCdeg),
    pc: b.readUInt16LE(RECORD.pc),
    crc: b.readUInt16LE(RECORD.crc),
    antenna: b[RECORD.antenna],
    epc: b.toString('hex', RECORD.epc, RECORD.epc + (b[RECORD.epcBytes] as number)),
  };
}

const load = (t: Test, files: Record<string, string>, name = 'r.csv') =>
  loadRecording(join(t.testdir(files), name));

async function refusal(t: Test, files: Record<string, string>, name = 'r.csv'): Promise<string> {
  try {
    await load(t, files, name);
  } catch (error) {
    if (isSingulateError(error, 'CONFIG')) return error.message.replaceAll(`${t.testdirName}/`, '');
    throw error;
  }
  throw new Error('nothing was refused');
}

const NINE =
  '0,0.27203,1.0082,-0.082102,1,-63.5,2.4252,924.25,1\n0.5,0.1,1,-0.1,3,-63,4.7369,921.75,1\n';
const HEADER = {
  columns: {
    time: { column: 1, unit: 's' },
    antenna: { column: 2 },
    epc: { column: 3 },
    rssi: { column: 4, unit: 'dBm' },
    phase: { column: 5, unit: 'deg' },
    frequency: { column: 6, unit: 'MHz' },
  },
};
const ROW = '1.5,2,e2801160200002,-60.25,359.999,915.25';
const GOOD = '1.5,2,e28011602000,-60.25,359.999,915.25';

t.test('nine columns without a header: the name of the file is the EPC', async (t) => {
  const recording = await load(t, { d1p01M: NINE }, 'd1p01M');
  t.match(recording, { reads: 2, antennas: [1, 3], durationSeconds: 0.5 });
  t.match(recording.model, 'd1p01M');
  t.strictSame(read(recording, 0), {
    timeNs: 0n,
    frequencyKhz: 924_250,
    rssiCdbm: -6350,
    phaseCdeg: Math.round((2.4252 / Math.PI) * 18_000),
    pc: 3 << 11,
    crc: 0,
    antenna: 1,
    epc: hex('d1p01M'),
  });
  t.match(read(recording, 1), { timeNs: 500_000_000n, antenna: 3 });
  t.equal(read(await load(t, { abc: NINE }, 'abc'), 0).epc, `${hex('abc')}00`, 'padded to a word');
});

t.test(
  'line ends of either kind, a missing last one and a byte order mark do not matter',
  async (t) => {
    const expected = Buffer.from((await load(t, { x: NINE }, 'x')).records);
    const forms = [NINE.trimEnd(), NINE.replaceAll('\n', '\r\n'), `\uFEFF${NINE}`];
    for (const form of forms) t.ok(expected.equals((await load(t, { x: form }, 'x')).records));
  },
);

t.test('the header is found in each of its places', async (t) => {
  const header = JSON.stringify(HEADER);
  const file = JSON.stringify({ ...HEADER, file: 'data/r.csv', model: 'dock 7' });
  const heading = 'EPC,time_ms,antenna,comment,rssi_cdBm,phase_rad,frequency_kHz';
  const named = JSON.stringify({
    columns: {
      time: { column: 'when', unit: 'us' },
      antenna: { value: 4 },
      epc: { column: 'tag' },
      rssi: { value: -60, unit: 'dBm' },
      phase: { value: 0, unit: 'rad' },
      frequency: { value: 915_250, unit: 'kHz' },
    },
  });
  const expected = { antenna: 2, epc: 'e28011602000', rssiCdbm: -6025, phaseCdeg: 0 };
  const cases: [string, Record<string, string | object>, string, object][] = [
    ['a header file', { 'h.json': file, data: { 'r.csv': GOOD } }, 'h.json', expected],
    ['beside the recording', { 'r.csv': GOOD, 'r.csv.json': header }, 'r.csv', expected],
    ['in its first line', { 'r.csv': `#${header}\n${GOOD}` }, 'r.csv', expected],
    [
      'a heading line',
      { 'r.csv': `${heading}\ne28011602000,1500,2,x y,-6025,6.2831853,915250` },
      'r.csv',
      expected,
    ],
    [
      'a header that names columns of the heading line',
      { 'r.csv': 'tag,when\ne28011602000,17', 'r.csv.json': named },
      'r.csv',
      { antenna: 4, epc: 'e28011602000', rssiCdbm: -6000, frequencyKhz: 915_250 },
    ],
    [
      'a header with a heading line to pass over',
      {
        'r.csv': `a,b,c,d,e,f\n${GOOD}`,
        'r.csv.json': JSON.stringify({ ...HEADER, headingLine: true }),
      },
      'r.csv',
      expected,
    ],
  ];
  for (const [what, files, name, fields] of cases) {
    const recording = await load(t, files as Record<string, string>, name);
    t.equal(recording.reads, 1, what);
    t.match(read(recording, 0), fields, what);
  }
});

t.test('units', async (t) => {
  const line = async (columns: object, row: string) => {
    const header = JSON.stringify({ columns: { ...HEADER.columns, ...columns } });
    return load(t, { 'r.csv': row, 'r.csv.json': header });
  };
  const two = (a: string, b: string) => `${GOOD.replace('1.5', a)}\n${GOOD.replace('1.5', b)}`;
  const times: [string, string, string, bigint][] = [
    ['s', '1700000000.123456789', '1700000000.123456790', 1n],
    ['s', '0', '1e-3', 1_000_000n],
    ['ms', '-1', '0.25', 1_250_000n],
    ['us', '1700000000000000.5', '1700000000000001', 500n],
    ['ns', '1700000000000000000', '1700000000000000003', 3n],
  ];
  for (const [unit, a, b, ns] of times) {
    const recording = await line({ time: { column: 1, unit } }, two(a, b));
    t.equal(read(recording, 1).timeNs, ns, `${unit} ${b}`);
  }
  const phase = async (unit: string, value: string) =>
    read(await line({ phase: { column: 5, unit } }, GOOD.replace('359.999', value)), 0).phaseCdeg;
  t.equal(await phase('deg', '-90'), 27_000);
  t.equal(await phase('rad', '-1.5707963'), 27_000);
  t.equal(await phase('rad', '0.35282'), 2022);
  t.equal(await phase('deg', '360'), 0);
});

t.test('reads are ordered by time, those of one time stay in their order', async (t) => {
  const row = (time: number, antenna: number) => `${time},${antenna},0001,-60,0,915.25`;
  const rows = [row(5, 1), row(3, 2), row(5, 3), row(3, 4), row(9, 5)].join('\n');
  const recording = await load(t, { 'r.csv': rows, 'r.csv.json': JSON.stringify(HEADER) });
  t.strictSame(
    Array.from({ length: 5 }, (_, i) => [read(recording, i).antenna, read(recording, i).timeNs]),
    [
      [2, 0n],
      [4, 0n],
      [1, 2_000_000_000n],
      [3, 2_000_000_000n],
      [5, 6_000_000_000n],
    ],
  );
  t.match(recording, { antennas: [1, 2, 3, 4, 5], durationSeconds: 6 });
});

t.test('a large recording loads whole', async (t) => {
  const rows = Array.from({ length: 20_000 }, (_, i) => `${i / 1000},0,0,0,1,-60,1,920.25,1`);
  t.match(await load(t, { x: rows.join('\n') }, 'x'), { reads: 20_000, durationSeconds: 19.999 });
});

t.test('a bad line is named with its number and column', async (t) => {
  const header = JSON.stringify(HEADER);
  const second = (row: string) => ({ 'r.csv': `${GOOD}\n${row}\n${GOOD}`, 'r.csv.json': header });
  const bad = (column: number, text: string) =>
    GOOD.split(',')
      .map((cell, i) => (i === column - 1 ? text : cell))
      .join(',');
  const at = 'recording r.csv, line 2';
  const cases: [string, string][] = [
    ['', `${at}: the line is empty; allowed: one read a line`],
    ['1,2,3', `${at}, column 3: 3 columns given; allowed: 6`],
    [`${GOOD},7`, `${at}, column 7: 7 columns given; allowed: 6`],
    [bad(3, '"e280"'), `${at}, column 3: a quote; allowed: plain fields without quotes`],
    [bad(1, 'x'), `${at}, column 1 (time): "x" given; allowed: a number`],
    [bad(1, ''), `${at}, column 1 (time): "" given; allowed: a number`],
    [bad(2, '0'), `${at}, column 2 (antenna): "0" given; allowed: 1..255`],
    [bad(2, '1.5'), `${at}, column 2 (antenna): "1.5" given; allowed: an integer, 1..255`],
    [
      ROW,
      `${at}, column 3 (epc): "e2801160200002" given; allowed: words of 4 hexadecimal digits, at most 31`,
    ],
    [bad(4, '-6025'), `${at}, column 4 (rssi): "-6025" given; allowed: -200..50 dBm`],
    [bad(4, 'NaN'), `${at}, column 4 (rssi): "NaN" given; allowed: a number`],
    [bad(5, '1000'), `${at}, column 5 (phase): "1000" given; allowed: within one turn, in deg`],
    [bad(6, '915250'), `${at}, column 6 (frequency): "915250" given; allowed: 300..3000 MHz`],
    ['# a remark', `${at}, column 1: 1 columns given; allowed: 6`],
  ];
  for (const [row, message] of cases) t.equal(await refusal(t, second(row)), message);
});

t.test('a file that cannot be a recording is refused', async (t) => {
  t.match(await refusal(t, {}), /^recording r\.csv cannot be read: ENOENT/);
  t.match(await refusal(t, { 'r.csv': { a: 'b' } as unknown as string }), 'it is not a file');
  t.equal(await refusal(t, { 'r.csv': '' }), 'recording r.csv is empty');
  t.match(
    await refusal(t, { 'r.csv': '1,2\nx,y\n' }),
    /^recording r\.csv has 2 columns and no header; without a header, allowed: 9 columns/,
  );
  t.equal(
    await refusal(t, { 'r.csv': 'time_s,antenna,epc,rssi_dbm,phase_rad,frequency_mhz\n' }),
    'recording r.csv holds no read',
  );
  t.equal(
    await refusal(t, { 'r.csv': 'time_s,antenna,epc,rssi,phase_rad,frequency_mhz\n' }),
    'recording r.csv, line 1: the heading names no column for rssi; allowed: one of rssi_dbm, rssi_cdbm (or a header r.csv.json)',
  );
  const long = 'n'.repeat(63);
  t.match(await refusal(t, { [long]: NINE }, long), 'allowed: at most 62 bytes');
});

t.test('a wrong header is one line that names its place and every wrong field', async (t) => {
  const sidecar = (header: unknown) =>
    refusal(t, { 'r.csv': GOOD, 'r.csv.json': JSON.stringify(header) });
  const columns = (more: object) => ({ columns: { ...HEADER.columns, ...more } });
  const at = 'recording r.csv.json: header: ';
  t.match(
    await refusal(t, { 'r.csv': GOOD, 'r.csv.json': '{' }),
    /r\.csv\.json: the header is not JSON/,
  );
  t.match(
    await refusal(t, { 'r.csv': '#{x}\n' }),
    /^recording r\.csv, line 1: the header is not JSON/,
  );
  t.equal(await sidecar({}), `${at}columns: is missing`);
  t.equal(
    await sidecar(columns({ time: { column: 0, unit: 'h' } })),
    `${at}columns.time.column: 0 given; allowed: at least 1; columns.time.unit: "h" given; allowed: s, ms, us, ns`,
  );
  t.equal(
    await sidecar(columns({ rssi: { unit: 'dBm' } })),
    `${at}columns.rssi: nothing given; allowed: column or value`,
  );
  t.equal(
    await sidecar(columns({ epc: { column: 3, fromFileName: true } })),
    `${at}columns.epc: column and fromFileName given; allowed: column or fromFileName`,
  );
  t.equal(
    await sidecar(columns({ rssi: { value: 99, unit: 'dBm' } })),
    `${at}columns.rssi: "99" given; allowed: -200..50 dBm`,
  );
  t.equal(
    await sidecar({ ...HEADER, speed: 1 }),
    `${at}speed: is not known; allowed: file, model, headingLine, numberOfColumns, columns`,
  );
  t.equal(
    await sidecar({ ...columns({ time: { column: 8, unit: 's' } }), numberOfColumns: 6 }),
    `${at}columns.time.column: 8 given; allowed: 1..6`,
  );
  t.match(
    await sidecar(columns({ time: { column: 'when', unit: 's' } })),
    `${at}columns.time.column: "when" given; allowed: 1.5, 2,`,
  );
  t.equal(
    await sidecar({ ...HEADER, file: 'x.csv' }),
    `${at}file: allowed only in a header that is itself replayed`,
  );
  t.equal(
    await refusal(t, { 'h.json': JSON.stringify(HEADER) }, 'h.json'),
    'recording h.json: header: file: is missing; allowed: the path of a CSV file',
  );
  t.equal(
    await refusal(t, { 'r.csv': '1,2,0003\n', 'r.csv.json': JSON.stringify(HEADER) }),
    'recording r.csv, line 1, column 4 (rssi): is missing',
  );
});
