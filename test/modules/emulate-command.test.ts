/** `singulate emulate`: a module that others can use, with faults by its standard input. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import t, { type Test } from 'tap';
import { RadioState } from '../../src/contract/messages.js';
import { counterToNumber } from '../../src/contract/time.js';
import {
  encodeCommand,
  OPCODE,
  ReplyReader,
} from '../../src/radio-control/serial/mercury-frame.js';
import { probeLine } from '../../src/radio-control/serial/probe.js';
import { COMMAND, run } from '../cli/command.js';
import { linePath, listen, radioOn, until } from './emulated.js';

interface Running {
  child: ChildProcess;
  // biome-ignore lint/suspicious/noExplicitAny: each line says something else
  lines: any[];
  ended: Promise<number | null>;
}

function emulate(t: Test, ...args: string[]): Running {
  const child = spawn(process.execPath, [COMMAND, 'emulate', 'mercury', '--json', ...args], {
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  const lines: Running['lines'] = [];
  createInterface({ input: child.stdout as Readable }).on('line', (line) =>
    lines.push(JSON.parse(line)),
  );
  return { child, lines, ended: once(child, 'close').then(([code]) => code) };
}

t.test('it reads, breaks and recovers as it is told, and ends with Ctrl-C', async (t) => {
  const link = linePath(t);
  const { child, lines, ended } = emulate(t, '--scenario', 'retail-shelf', '--link', link);
  await until(() => lines.length > 0, 'it says where it is');
  t.same(lines[0], { path: link, profile: 'm7e', scenario: 'retail-shelf', baudPacing: false });
  const { client } = await radioOn(t, link);
  await until(
    async () => (await client.getStatus()).state === RadioState.RADIO_STATE_IDLE,
    'the module is connected',
  );
  const reads = await listen(t, client);
  await client.startInventory({ plan: {}, owner: 'test' });
  await until(() => reads.length > 0, 'tags are read');
  child.stdin?.write('reset\nno-such-fault\n\n');
  await until(() => lines.length > 2, 'both lines were answered');
  t.same(lines.slice(1), [
    { fault: 'reset', injected: true },
    { fault: 'no-such-fault', injected: false },
  ]);
  await until(
    async () => counterToNumber((await client.getStatus()).link?.reconnects) > 0,
    'the module is found again',
  );
  const before = reads.length;
  await until(() => reads.length > before, 'tags are read again');
  await client.stopInventory();
  child.kill('SIGINT');
  t.equal(await ended, 0);
  t.ok(lines.at(-1).records >= before);
  t.notOk(existsSync(link), 'nothing is left behind');
});

t.test('without a link it has a pseudo-terminal, whose cable cannot be pulled', async (t) => {
  const { child, lines, ended } = emulate(t, '--profile', 'nano');
  await until(() => lines.length > 0, 'it says where it is');
  t.match(lines[0].path, /^\/dev\/pts\/\d+$/);
  t.match(await probeLine(lines[0].path), { model: 'M6e Nano', baud: 115_200 });
  child.stdin?.end('unplug\n');
  await until(() => lines.length > 1, 'it answered');
  t.same(lines[1], { fault: 'unplug', injected: false });
  t.match(await probeLine(lines[0].path), { model: 'M6e Nano' }, 'it goes on without its input');
  child.kill('SIGTERM');
  t.equal(await ended, 0);
});

t.test('a host that sets nothing on its end, not even a baud rate, is understood', async (t) => {
  const { lines } = emulate(t);
  await until(() => lines.length > 0, 'it says where it is');
  const host = await open(lines[0].path, constants.O_RDWR | constants.O_NOCTTY);
  await host.write(encodeCommand(OPCODE.version));
  const reader = new ReplyReader();
  const { bytesRead, buffer } = await host.read(Buffer.alloc(256));
  const [version] = reader.take(buffer.subarray(0, bytesRead));
  t.match(version, { opcode: OPCODE.version, status: 0 });
  await host.close();
});

t.test('names that there are not are refused with those that there are', async (t) => {
  const cases: [string[], RegExp][] = [
    [['--profile', 'm8'], /--profile: m8 given; allowed: m7e, m6e, nano, silion/],
    [['--scenario', 'desert'], /scenario "desert" is not known; allowed: array-reader, /],
    [['--link', '/no/such/folder/line'], /the emulator cannot start: .*No such file/],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await run('emulate', 'mercury', '--json', ...args);
    t.equal(code, 2);
    t.match(stderr, message);
  }
});
