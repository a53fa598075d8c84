/** The process: options, messages to its supervisor, signals, and files that are always whole. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { EXIT_CONFIG } from '../../src/shared/errors.js';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';
import { prepareState } from '../shared/prepared-state.js';
import { FakeRadio } from './fake-radio.js';
import { basic, PASSWORD, radioTarget, send, temporaryFolder, until } from './reader.js';

/** As the command starts it. */
const MAIN = join(PACKAGE_ROOT, 'dist/bundle/lib/reader-gateway.js');

function run(...args: string[]): Promise<{ code: number | null; err: string; out: string }> {
  return new Promise((resolve) => {
    // Without a channel, as a shell starts it.
    const child = spawn(process.execPath, [MAIN, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let err = '';
    let out = '';
    child.stderr.on('data', (part) => {
      err += part;
    });
    child.stdout.on('data', (part) => {
      out += part;
      if (/REST listens/.test(out)) child.kill('SIGTERM');
    });
    child.on('close', (code) => resolve({ code, err, out }));
  });
}

t.test('a wrong setting is one clear line and exit code 2', async (t) => {
  const folder = temporaryFolder(t);
  const busy = createServer();
  busy.listen(0, '127.0.0.1');
  await once(busy, 'listening');
  t.teardown(() => busy.close());
  const { port } = busy.address() as { port: number };
  // Those that get as far as their state folder have one of their own: they run side by side.
  const own = (name: string) => ['--state-dir', join(folder, name)];
  const state = own('none');
  const cases: [string[], RegExp][] = [
    [[], /--state-dir is required/],
    [[...state, '--colour'], /--colour/],
    [[...state, '--rest-port', '70000'], /--rest-port: 70000 is not a port/],
    [[...state, '--log-format', 'xml'], /--log-format: xml is not one of json, pretty/],
    [[...state, '--log-mb', '0'], /--log-mb: 0 is not a number of 1 to 1000/],
    [[...state, '--local-broker', '127.0.0.1'], /--local-broker: 127.0.0.1 is not like mqtt/],
    [
      [...own('leds'), '--platform', 'linux', '--leds', 'a/b'],
      /--leds: "a\/b" is not the name of an LED/,
    ],
    [[...own('port'), '--rest-host', '127.0.0.1', '--rest-port', String(port)], /port is in use/],
  ];
  const results = await Promise.all(cases.map(([args]) => run(...args)));
  results.forEach(({ code, err }, index) => {
    const expected = cases[index]?.[1] ?? /./;
    t.equal(code, EXIT_CONFIG, err);
    t.match(err, expected);
    t.equal(err.trim().split('\n').length, 1, err);
  });
});

t.test('without a supervisor the new password is printed once', async (t) => {
  const folder = temporaryFolder(t);
  const args = ['--state-dir', folder, '--rest-port', '0', '--rest-host', '127.0.0.1'];
  const first = await run(...args);
  t.equal(first.code, 0, first.err);
  t.match(first.out, /login: admin, password: \S{20,}/);
  t.notMatch((await run(...args)).out, /password/);
});

function supervise(folder: string): {
  child: ChildProcess;
  messages: { type: string; restUrl?: string }[];
} {
  const args = ['--state-dir', folder, '--rest-port', '0', '--rest-host', '127.0.0.1'];
  const child = fork(MAIN, [...args, '--radio', radioTarget(folder), '--boot-id', 'b'], {
    env: { ...process.env, SINGULATE_PASSWORD: PASSWORD },
    silent: true,
    execArgv: [],
  });
  const messages: { type: string }[] = [];
  child.on('message', (message) => messages.push(message as { type: string }));
  return { child, messages };
}

t.test(
  'a supervisor is told the address; its end and SIGTERM end the process, not the reading',
  async (t) => {
    const folder = temporaryFolder(t);
    await prepareState(folder, PASSWORD);
    const radio = new FakeRadio();
    await radio.listen(radioTarget(folder));
    t.teardown(() => radio.kill());
    for (const end of ['disconnect', 'SIGTERM', 'SIGKILL']) {
      const { child, messages } = supervise(folder);
      await until('ready', () => messages.some(({ type }) => type === 'ready'));
      const url = messages.find(({ type }) => type === 'ready')?.restUrl ?? '';
      const login = await send(url, 'GET', '/cloud/localRestLogin', {
        headers: basic('admin', PASSWORD),
      });
      const headers = { authorization: `Bearer ${login.json.message}` };
      if (!radio.isReading) await send(url, 'PUT', '/cloud/start', { headers });
      await until('endpoints', () => messages.some(({ type }) => type === 'endpoints'));
      const exited = once(child, 'exit');
      if (end === 'disconnect') child.disconnect();
      else child.kill(end as NodeJS.Signals);
      const [code] = await exited;
      if (end === 'SIGTERM') t.equal(code, 0);
      t.ok(radio.isReading, end);
    }
    t.equal(radio.starts.length, 1);
  },
);

t.test('state files are whole whenever the process is killed', async (t) => {
  const folder = temporaryFolder(t);
  await prepareState(folder, PASSWORD);
  const radio = new FakeRadio();
  await radio.listen(radioTarget(folder));
  t.teardown(() => radio.kill());
  for (let round = 0; round < 3; round++) {
    const { child, messages } = supervise(folder);
    await until('ready', () => messages.some(({ type }) => type === 'ready'));
    const url = messages.find(({ type }) => type === 'ready')?.restUrl ?? '';
    const login = await send(url, 'GET', '/cloud/localRestLogin', {
      headers: basic('admin', PASSWORD),
    });
    const headers = { authorization: `Bearer ${login.json.message}` };
    let writing = true;
    let writes = 0;
    const write = async (path: string, body: (n: number) => object) => {
      while (writing) {
        await send(url, 'PUT', path, { headers, body: body(writes++) }).catch(() => {});
      }
    };
    const loops = [
      write('/cloud/config', (n) => ({ xml: `<n>${n}</n>`.repeat(500 + (n % 7) * 500) })),
      write('/cloud/mode', (n) => ({
        type: 'CUSTOM',
        tagMetaData: [{ userDefined: 'x'.repeat(n % 5000) }],
      })),
      write('/cloud/start', () => ({})),
    ];
    await until('the writers are at work', () => writes > 20);
    await sleep(round * 37);
    child.kill('SIGKILL');
    writing = false;
    await Promise.all(loops);
    for (const name of ['config.json', 'mode.json', 'run.json', 'auth.json']) {
      t.doesNotThrow(() => JSON.parse(readFileSync(join(folder, name), 'utf8')), name);
    }
  }
});
