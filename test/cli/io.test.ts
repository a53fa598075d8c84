/** `singulate gpi`, `gpo` and `io` beside a running radio service. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import t, { type Test } from 'tap';
import { type IoModel, renderIo } from '../../src/cli/io/render-io.js';
import { Line } from '../../src/contract/messages.js';
import { radioService } from '../../src/contract/service.js';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';
import { startRadioControl, startRadioControlAt } from '../oem/radio-control.js';
import { COMMAND, run, runAlone } from './command.js';

const { INPUT, OUTPUT } = Line.Kind;

function start(args: string[], cwd = PACKAGE_ROOT) {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    cwd,
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  });
  const said = { out: '', err: '' };
  child.stdout?.on('data', (chunk) => {
    said.out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    said.err += chunk;
  });
  return { child, said };
}

/** Short enough for a socket in it. */
function folder(t: Test): string {
  const path = mkdtempSync(join(tmpdir(), 'io-'));
  t.teardown(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function until(what: string, check: () => unknown): Promise<void> {
  for (let i = 0; i < 1500; i++) {
    if (check()) return;
    await sleep(20);
  }
  throw new Error(`waited in vain: ${what}`);
}

/** The state folder of a radio service; its socket lies there as in that of a reader. */
async function reader(t: Test): Promise<string> {
  const { target } = await startRadioControl(t);
  return dirname(target.slice('unix:'.length));
}

t.test('levels are shown, inputs played and outputs set on the running reader', async (t) => {
  const dir = ['--state-dir', await reader(t)];
  t.strictSame(await runAlone('gpi', ...dir), {
    code: 0,
    stdout: 'gpi 1 HIGH\ngpi 2 HIGH\n',
    stderr: '',
  });
  t.strictSame(await run('gpi', '1', 'low', '2', 'LOW', ...dir), {
    code: 0,
    stdout: 'gpi 1 LOW\ngpi 2 LOW\n',
    stderr: '',
  });
  t.strictSame(await run('gpo', ...dir, '3', 'high'), {
    code: 0,
    stdout: 'gpo 3 HIGH\n',
    stderr: '',
  });
  t.strictSame(await run('gpo', ...dir), {
    code: 0,
    stdout: 'gpo 1 LOW\ngpo 2 LOW\ngpo 3 HIGH\n',
    stderr: '',
  });
  t.strictSame(await run('gpi', '1', 'high', '3', 'low', ...dir), {
    code: 2,
    stdout: '',
    stderr: 'singulate: gpi: port 3 given; allowed: 1..2\n',
  });
  t.match(await run('gpi', ...dir), { stdout: /^gpi 1 LOW$/m }, 'nothing is half done');
});

t.test('without a running reader the error says where it was looked for', async (t) => {
  const dir = folder(t);
  for (const args of [['gpi'], ['gpi', '1', 'low'], ['gpo', '1', 'low']]) {
    t.strictSame(await run(...args, '--state-dir', dir), {
      code: 1,
      stdout: '',
      stderr: `singulate: no reader runs with the state folder ${dir} (--state-dir names another)\n`,
    });
  }
});

t.test('inputs that are hardware are not played; outputs that are gone say so', async (t) => {
  const dir = folder(t);
  const fault = '/dev/gpiochip0: the chip is gone: No such device';
  const server = new Server();
  // biome-ignore lint/suspicious/noExplicitAny: the definition's unions of input and output
  server.addService(radioService as any, {
    getLines: (_call: unknown, done: (error: null, value: object) => void) =>
      done(null, {
        lines: [INPUT, OUTPUT].map((kind) => ({ kind, port: 1, high: true, hardware: true })),
        fault,
      }),
    setOutput: (_call: unknown, done: (error: object) => void) =>
      done({ code: status.UNAVAILABLE, details: fault }),
  });
  await new Promise<void>((resolve, reject) => {
    const target = `unix:${join(dir, 'radio.sock')}`;
    server.bindAsync(target, ServerCredentials.createInsecure(), (error) =>
      error ? reject(error) : resolve(),
    );
  });
  t.teardown(() => server.forceShutdown());
  const gpi = await run('gpi', '1', 'low', '--state-dir', dir);
  t.match(gpi, {
    code: 1,
    stdout: '',
    stderr: /gpi: the inputs are lines of the reader's hardware/,
  });
  const gpo = await run('gpo', '1', 'low', '--state-dir', dir);
  t.strictSame(gpo, { code: 1, stdout: '', stderr: `singulate: ${fault}\nsingulate: ${fault}\n` });
});

t.test('io tells every change as a line, and that the radio service has gone', async (t) => {
  const service = await startRadioControl(t);
  const dir = dirname(service.target.slice('unix:'.length));
  const { child, said } = start(['io', '--state-dir', dir]);
  t.teardown(() => child.kill('SIGKILL'));
  const told = () => said.out.split('\n').map((line) => line.split(' ').slice(1).join(' '));
  await until('it knows all', () => told().includes('gpo 3 LOW') && told().includes('radio idle'));
  t.ok(
    said.out
      .split('\n')
      .slice(0, -1)
      .every((line) => /^20\d\d-\d\d-\d\dT\S+Z /.test(line)),
  );
  t.equal(told().filter((line) => line.startsWith('gp')).length, 5);
  await run('gpo', '2', 'high', '--state-dir', dir);
  await run('gpi', '1', 'low', '--state-dir', dir);
  await until('both changes', () => told().includes('gpi 1 LOW'));
  t.ok(told().indexOf('gpo 2 HIGH') < told().indexOf('gpi 1 LOW'));
  service.kill('SIGTERM');
  await until('it is gone', () => told().some((line) => line.startsWith('no reader runs with')));
  child.kill('SIGINT');
  const [code] = await once(child, 'close');
  t.equal(code, 0);
  t.equal(said.err, '');
});

t.test('io waits for a reader that starts later', async (t) => {
  const dir = folder(t);
  const { child, said } = start(['io', '--state-dir', dir]);
  t.teardown(() => child.kill('SIGKILL'));
  await until('it waits', () => said.out.includes('no reader runs with the state folder'));
  await startRadioControlAt(t, join(dir, 'radio.sock'), []);
  await until('it sees the reader', () => said.out.includes('radio idle'));
  await until('it sees the lines', () => said.out.includes('gpi 1 HIGH'));
  child.kill('SIGTERM');
  t.same((await once(child, 'close'))[0], 0);
});

const MODEL: IoModel = {
  stateDir: '/data/reader',
  radio: 'reading',
  fault: '',
  lines: [
    {
      kind: INPUT,
      port: 1,
      high: false,
      changes: 12,
      changedMs: Date.parse('2024-05-06T07:08:09.012'),
    },
    { kind: OUTPUT, port: 1, high: true, changes: 0, changedMs: undefined },
  ],
};
const CANVAS = { columns: 60, rows: 20, colour: false };

t.test('on a terminal io is a table', async (t) => {
  t.strictSame(renderIo(MODEL, CANVAS), [
    'radio reading · /data/reader',
    'line     level   changes   last change',
    'gpi 1    LOW          12   07:08:09.012',
    'gpo 1    HIGH          0   -',
  ]);
  const fault = '/dev/gpiochip0: the chip is gone: No such device';
  const lost = renderIo({ ...MODEL, radio: 'not connected', fault }, { ...CANVAS, columns: 20 });
  t.strictSame(lost.slice(0, 2), ['radio not connected…', '/dev/gpiochip0: the…']);
  t.equal(renderIo(MODEL, { ...CANVAS, rows: 2 }).length, 2);
});
