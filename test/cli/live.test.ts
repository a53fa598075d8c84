import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { LiveModel, TagRow } from '../../src/cli/live/model.js';
import { noticeOf } from '../../src/cli/live/notice.js';
import { printable, renderLive } from '../../src/cli/live/render.js';
import { Screen } from '../../src/cli/live/screen.js';
import { TagTable } from '../../src/cli/live/tag-table.js';
import { LogFile } from '../../src/cli/log-file.js';

const EPC = '3036451fd40c0e40000003e9';
const tag = (antenna: number, age: number, epc = EPC): TagRow => ({
  epc,
  antenna,
  rssiDbm: -52.25,
  reads: 12,
  lastSeenMs: 100_000 - age,
});

const MODEL: LiveModel = {
  nowMs: 100_000,
  startedMs: 38_000,
  source: 'scenario dock-door',
  radio: {
    state: 'reading',
    endReason: '',
    readsPerSecond: 412,
    reads: 1000,
    uniqueTags: 74,
    reported: 300,
    filtered: 700,
    dropped: 0,
  },
  tags: [tag(1, 0), tag(2, 100), tag(1, 1500)],
  endpoints: [
    {
      interface: 'data.event',
      name: 'embedded broker',
      type: 'mqtt',
      state: 'connected',
      sent: 300,
      retained: 0,
      dropped: 0,
    },
  ],
  services: [
    { name: 'radio-control', state: 'ready', restarts: 0 },
    { name: 'reader-gateway', state: 'ready', restarts: 1 },
  ],
  notices: ['something odd'],
};
const CANVAS = { columns: 100, rows: 23, colour: false };

t.test('the view shows everything at a glance', async (t) => {
  t.strictSame(renderLive(MODEL, CANVAS), [
    'radio reading · scenario dock-door · up 0:01:02',
    '412 reads/s · 74 unique tags · 1000 reads: 300 reported, 700 filtered, 0 dropped',
    'services: radio-control ready · reader-gateway ready, 1 restart',
    'endpoint data.event embedded broker (mqtt): connected · 300 sent, 0 retained, 0 dropped',
    'ant  EPC                         RSSI dBm    reads      age',
    `  1  ${EPC}       -52.3       12    0.0 s`,
    `  1  ${EPC}       -52.3       12    1.5 s`,
    `  2  ${EPC}       -52.3       12    0.1 s`,
    'something odd',
  ]);
});

t.test('before the radio answers, and after it stopped, it says so', async (t) => {
  const before = renderLive({ ...MODEL, radio: undefined }, CANVAS);
  t.match(before[0], /^radio connecting/);
  t.match(before[1], 'waiting for the radio');
  const radio = { ...(MODEL.radio as NonNullable<LiveModel['radio']>) };
  const after = { ...MODEL, radio: { ...radio, state: 'idle' as const, endReason: 'stopped' } };
  t.match(renderLive(after, CANVAS)[0], /^radio idle \(stopped\)/);
});

t.test('it never takes more room than the terminal has', async (t) => {
  const many = Array.from({ length: 200 }, (_, i) => tag(1 + (i % 7), i, EPC.repeat(5)));
  const model = { ...MODEL, tags: many, notices: Array.from({ length: 9 }, () => 'n'.repeat(500)) };
  for (const columns of [1, 10, 40, 80, 200]) {
    for (const rows of [0, 1, 3, 8, 24, 60]) {
      const lines = renderLive(model, { columns, rows, colour: false });
      t.ok(lines.length <= rows, `${rows} rows`);
      t.ok(
        lines.every((line) => [...line].length <= columns),
        `${columns} columns`,
      );
    }
  }
});

t.test('antennas share the rows', async (t) => {
  const many = Array.from({ length: 100 }, (_, i) => tag(i < 90 ? 1 : 2, i));
  const lines = renderLive({ ...MODEL, tags: many, notices: [] }, { ...CANVAS, rows: 15 });
  t.equal(lines.filter((line) => line.startsWith('  1 ')).length, 5);
  t.equal(lines.filter((line) => line.startsWith('  2 ')).length, 5);
});

t.test(
  'colour is left out where it is not wanted, and foreign text cannot move the cursor',
  async (t) => {
    const evil = { ...MODEL, notices: ['\x1b[2Jgone\r\n\x07'] };
    const shown = renderLive(evil, CANVAS).join('');
    t.ok([...shown].every((character) => character >= ' '));
    const green = renderLive(MODEL, { ...CANVAS, colour: true })[0];
    t.ok(green?.startsWith('\x1b[32mradio') && green.endsWith('\x1b[0m'));
    t.equal(printable('\x1b[31mred\x1b[0m\tend'), 'red end');
  },
);

t.test('the screen draws over itself and gives the cursor back', async (t) => {
  let out = '';
  const screen = new Screen((text) => {
    out += text;
  });
  screen.draw(['a', 'b']);
  t.notMatch(out, 'A', 'nothing to go up over');
  out = '';
  screen.draw(['c']);
  t.match(out, '\x1b[2A');
  t.match(out, 'c\x1b[K\n\x1b[J');
  t.match(out, '\x1b[?25l');
  out = '';
  screen.restore();
  t.equal(out, '\x1b[?25h');
});

t.test('the table of tags counts reads for each tag and antenna, and is bounded', async (t) => {
  const table = new TagTable();
  table.add('aa', 1, -50, 2, 10);
  table.add('bb', 1, -51, 1, 20);
  table.add('aa', 1, -49, 3, 30);
  table.add('aa', 2, -60, 1, 40);
  t.strictSame(
    table.rows().map(({ epc, antenna, reads }) => [epc, antenna, reads]),
    [
      ['aa', 2, 1],
      ['aa', 1, 5],
      ['bb', 1, 1],
    ],
  );
  for (let i = 0; i < 5000; i++) table.add(String(i), 1, -50, 1, i);
  t.equal(table.rows().length, 2000);
});

t.test('warnings are picked out of log lines of both forms', async (t) => {
  t.equal(
    noticeOf('{"level":"warn","component":"reader_gateway","msg":"broker away"}'),
    'warn reader_gateway: broker away',
  );
  t.equal(noticeOf('{"level":"info","msg":"x"}'), undefined);
  t.equal(noticeOf('{"level":'), undefined);
  t.equal(noticeOf('[10:00:00.000] ERROR: radio_control: lost'), 'error radio_control: lost');
  t.equal(noticeOf('[10:00:00.000] \x1b[33mWARN\x1b[39m: a: b'), 'warn a: b');
  t.equal(noticeOf('[10:00:00.000] INFO: a: b'), undefined);
});

t.test('log files are limited to two of their size', async (t) => {
  const path = join(t.testdir({}), 'logs/x.log');
  const file = new LogFile(path, 1000);
  for (let i = 0; i < 300; i++) file.write(`line ${i}`);
  file.close();
  const [now, before] = [readFileSync(path, 'utf8'), readFileSync(`${path}.1`, 'utf8')];
  t.ok(now.length <= 1000 && before.length <= 1000);
  t.match(now, /line 299\n$/);
  t.notOk(existsSync(`${path}.2`));
  const again = new LogFile(path, 1000);
  again.write('after a restart');
  again.close();
  t.match(readFileSync(path, 'utf8'), /line 299\nafter a restart\n$/);
});
