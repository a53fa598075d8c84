/** DEBUG tells a field engineer what both services do; INFO tells none of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { debugLine, MOST_PER_SECOND } from '../../src/shared/debug-line.js';
import { createLogger } from '../../src/shared/log.js';
import { startRadioControlAt } from '../oem/radio-control.js';
import { FakeRadio } from './fake-radio.js';
import {
  logFilesOf,
  PostTarget,
  radioTarget,
  TestReader,
  temporaryFolder,
  until,
} from './reader.js';

interface Line {
  level: string;
  msg: string;
  [field: string]: unknown;
}

const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

t.test('one start and stop', async (t) => {
  const stateDir = temporaryFolder(t);
  const logFiles = logFilesOf(t, stateDir);
  const service = await startRadioControlAt(t, radioTarget(stateDir).replace('unix:', ''), []);
  // The real service is there already: nothing of this one is used.
  const reader = await TestReader.start(t, { stateDir, logFiles, radio: new FakeRadio() });
  t.teardown(() => reader.gateway.stop());
  const target = new PostTarget();
  await target.start();
  t.teardown(() => target.stop());
  const connections = [{ type: 'httpPost', name: 'sink', options: { URL: target.url } }];
  const config = { 'READER-GATEWAY': { endpointConfig: { data: { event: { connections } } } } };
  t.equal((await reader.call('PUT', 'config', config)).status, 200);

  const gateway = async () => {
    await logFiles.flush();
    const text = readFileSync(join(stateDir, 'logs', 'reader_gateway.info.log'), 'utf8');
    return { text, lines: linesOf(text) };
  };
  const radio = () => linesOf(service.log());
  const debugOf = (lines: Line[]) => lines.filter(({ level }) => level === 'debug');
  const mode = {
    type: 'CUSTOM',
    query: { session: 'S0' },
    reportFilter: { duration: 0, type: 'RADIO_WIDE' },
    access: [{ type: 'ACCESS', config: { password: 'deadbeef' } }],
  };
  const readSome = async () => {
    t.equal((await reader.call('PUT', 'mode', mode)).status, 200);
    const before = target.posts.length;
    t.equal((await reader.call('PUT', 'start')).status, 200);
    await until('events at the endpoint', () => target.posts.length > before);
  };

  await readSome();
  t.equal((await reader.call('PUT', 'stop')).status, 200);
  t.same(debugOf((await gateway()).lines), [], 'INFO: the gateway');
  t.same(debugOf(radio()), [], 'INFO: the radio');

  const components = ['radio_control', 'cloud_agent'].map((componentName) => ({
    componentName,
    level: 'DEBUG',
  }));
  t.equal((await reader.call('PUT', 'logs', { components })).status, 200);
  await readSome();
  t.equal((await reader.call('PUT', 'mode', { type: 'FAST' })).status, 400);
  const seconds = () => debugOf(radio()).filter(({ msg }) => msg === 'rounds of the last second');
  await until('a second of rounds', () => seconds().some(({ reads }) => Number(reads) > 0));
  t.equal((await reader.call('PUT', 'stop')).status, 200);
  await until('the end of the stop', () =>
    radio().some(({ msg, call }) => msg === 'call' && call === 'stopInventory'),
  );

  const { lines, text } = await gateway();
  const told = debugOf(lines);
  const ofGateway = (msg: string, fields: object) =>
    t.ok(
      told.some((line) => line.msg === msg && matches(line, fields)),
      `${msg} ${JSON.stringify(fields)}`,
    );
  ofGateway('operation', { operation: 'start', status: 200 });
  ofGateway('operation', { operation: 'stop', status: 200 });
  ofGateway('operation', { operation: 'set_mode', code: 'INVALID' });
  ofGateway('call of the radio service', { call: 'StartInventory' });
  ofGateway('call of the radio service', { call: 'StopInventory' });
  ofGateway('reading', { isReading: true });
  ofGateway('reading', { isReading: false, reason: 'stopped' });
  ofGateway('sent', { endpoint: 'sink' });

  const ofRadio = debugOf(radio());
  const plan = ofRadio.find(({ msg }) => msg === 'plan');
  t.match(plan, { plan: 0, antennaCount: 4, linkProfile: 'M4-250', reportFilter: {} });
  t.match(plan?.antennas, [{ port: 1, query: { session: 0 }, access: 1 }]);
  t.ok(ofRadio.some(({ msg, call }) => msg === 'call' && call === 'startInventory'));
  t.match(
    seconds().find(({ reads }) => Number(reads) > 0),
    {
      rounds: Number,
      singleSlots: Number,
      readsByAntenna: Object,
    },
  );
  t.notMatch(text, /deadbeef|3735928559/, 'no password of a tag');
  t.notMatch(service.log(), /deadbeef|3735928559/, 'no password of a tag');
});

function matches(line: Line, fields: object): boolean {
  return Object.entries(fields).every(([name, value]) => line[name] === value);
}

t.test('a flood is bounded, and what is left out is told', async (t) => {
  const lines: Line[] = [];
  const output = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const log = createLogger('test', { level: 'info' }, output);
  const never = () => {
    throw new Error('made for nothing');
  };
  for (let i = 0; i < 1000; i++) debugLine(log, 'flood', never);
  t.same(lines, [], 'INFO');
  log.level = 'debug';
  let calls = 0;
  const call = () => debugLine(log, 'flood', () => ({ call: ++calls }));
  let made = 0;
  for (; made < 1000; made++) call();
  debugLine(log, 'something else', () => ({}));
  t.ok(lines.length < 1000 && lines.length >= MOST_PER_SECOND, `${lines.length} lines`);
  t.ok(
    lines.some(({ msg }) => msg === 'something else'),
    'each kind has its own bound',
  );
  await until('another second', () => {
    made++;
    call();
    return lines.at(-1)?.leftOutBefore !== undefined;
  });
  const flood = lines.filter(({ msg }) => msg === 'flood');
  const leftOut = flood.reduce((sum, line) => sum + Number(line.leftOutBefore ?? 0), 0);
  t.equal(flood.length + leftOut, made, 'every one is written or counted');
});
