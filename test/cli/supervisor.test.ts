import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';

const program = fileURLToPath(new URL('./fixtures/supervise.js', import.meta.url));

interface Event {
  event: string;
  name: string;
  pid: number;
  how: string;
  delayMs: number;
  line: string;
  stream: string;
}

class Run {
  readonly events: Event[] = [];
  readonly exit: Promise<unknown[]>;

  constructor(readonly process: ChildProcess) {
    this.exit = once(process, 'exit');
    createInterface({ input: process.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      this.events.push(JSON.parse(line));
    });
  }

  async until(check: (events: Event[]) => unknown): Promise<void> {
    // Half a minute: each launch is a start of Node.js.
    for (let i = 0; i < 1500 && !check(this.events); i++) await sleep(20);
    if (!check(this.events)) throw new Error(`waited in vain: ${JSON.stringify(this.events)}`);
  }

  of(event: string, name?: string): Event[] {
    return this.events.filter((e) => e.event === event && (name === undefined || e.name === name));
  }
}

function run(t: Test, ...behaviours: string[]): Run {
  return runWith(t, {}, ...behaviours);
}

function runWith(t: Test, env: NodeJS.ProcessEnv, ...behaviours: string[]): Run {
  const child = spawn(process.execPath, [program, ...behaviours], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  t.teardown(() => child.kill('SIGKILL'));
  return new Run(child);
}

const alive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

t.test('a child killed with SIGKILL is started again at once, the other lives on', async (t) => {
  const r = run(t, 'steady', 'stubborn');
  await r.until(() => r.of('ready').length === 2);
  const [first] = r.of('ready', 'steady');
  process.kill((first as Event).pid, 'SIGKILL');
  await r.until(() => r.of('ready', 'steady').length === 2);
  t.match(r.of('restart'), [{ name: 'steady', how: 'SIGKILL', delayMs: 0 }]);
  t.equal(r.of('ready', 'stubborn').length, 1);
  t.match(r.of('line', 'steady').at(-1), { line: 'steady launch=2 says hello' });
});

t.test('a child that keeps failing is tried for ever, ever later up to the cap', async (t) => {
  const r = run(t, 'crash');
  await r.until(() => r.of('restart').length >= 7);
  const delays = r.of('restart').map(({ delayMs }) => delayMs);
  t.equal(delays[0], 0);
  t.ok(
    delays.slice(1).every((ms) => ms >= 25 && ms <= 200),
    delays.join(),
  );
  t.ok(
    delays.slice(4).every((ms) => ms >= 100),
    delays.join(),
  );
});

t.test('exit code 2 at the first start stops everything with exit code 2', async (t) => {
  const r = run(t, 'steady', 'refuse');
  const [code] = await r.exit;
  t.equal(code, 2);
  t.match(
    r.of('line', 'refuse').find(({ stream }) => stream === 'stderr'),
    {
      line: 'refuse: the value 7 is given; allowed: 1..5',
    },
  );
  t.equal(r.of('restart', 'refuse').length, 0);
  for (const { pid } of r.of('ready')) t.notOk(alive(pid));
});

t.test('exit code 2 of a later launch is a failure like any other', async (t) => {
  const r = run(t, 'refuse-later');
  await r.until(() => r.of('ready').length === 1);
  process.kill((r.of('ready')[0] as Event).pid, 'SIGKILL');
  await r.until(() => r.of('ready').length === 2);
  t.match(r.of('restart'), [{ how: 'SIGKILL' }, { how: 'exit code 2' }]);
  t.match(r.of('line').at(-1), { line: 'refuse-later launch=3 says hello' });
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  t.test(`${signal} ends the children and then the supervisor, with exit code 0`, async (t) => {
    const r = run(t, 'steady', 'steady');
    await r.until(() => r.of('ready').length === 2);
    r.process.kill(signal);
    const [code] = await r.exit;
    t.equal(code, 0);
    for (const { pid } of r.of('ready')) t.notOk(alive(pid));
  });
}

t.test('a second SIGINT ends at once, but not one that comes with the first', async (t) => {
  const r = run(t, 'stubborn');
  await r.until(() => r.of('ready').length === 1);
  const started = Date.now();
  r.process.kill('SIGINT');
  await r.until(() => r.of('line').some(({ line }) => line === 'stubborn stays'));
  r.process.kill('SIGINT');
  await sleep(100);
  t.equal(r.process.exitCode, null, 'the second signal of one Ctrl-C');
  await sleep(600);
  r.process.kill('SIGINT');
  const [code] = await r.exit;
  t.equal(code, 0);
  t.ok(Date.now() - started < 4000, 'without the grace of five seconds');
});

t.test('a child that does not end within the grace is killed', async (t) => {
  const r = run(t, 'stubborn');
  await r.until(() => r.of('ready').length === 1);
  const started = Date.now();
  r.process.kill('SIGTERM');
  const [code] = await r.exit;
  t.equal(code, 0);
  t.ok(Date.now() - started >= 4900);
  t.notOk(alive((r.of('ready')[0] as Event).pid));
});

t.test('nothing is left when the supervisor is killed with SIGKILL', async (t) => {
  const r = run(t, 'steady', 'stubborn');
  await r.until(() => r.of('ready').length === 2);
  r.process.kill('SIGKILL');
  await r.exit;
  const pids = r.of('ready').map(({ pid }) => pid);
  for (let i = 0; i < 100 && pids.some(alive); i++) await sleep(20);
  t.strictSame(pids.filter(alive), []);
});

t.test(
  'a child whose event loop stands is killed and started again, and that is told',
  async (t) => {
    // Beats come every second; one that is late on a busy machine is none that is missing.
    const r = runWith(t, { SILENT_MS: '5000' }, 'stands', 'told', 'steady');
    await r.until(() => r.of('ready', 'stands').length === 2 && r.of('ready').length === 4);
    t.match(r.of('restart'), [{ name: 'stands', how: /^its event loop stood for \d+ s$/ }]);
    const told = () => r.of('line', 'told').map(({ line }) => line);
    const restarts = (count: number, of = 'stands') => ({
      service: of,
      reason: 'loop stood',
      count,
    });
    const says = (...all: object[]) => JSON.stringify({ type: 'restarts', restarts: all });
    await r.until(() => told().includes(says(restarts(1))));

    process.kill((r.of('ready', 'steady')[0] as Event).pid, 'SIGSTOP');
    await r.until(() => r.of('ready', 'steady').length === 2);
    await r.until(() => told().includes(says(restarts(1), restarts(1, 'steady'))));
    t.equal(r.of('restart').length, 2, 'nothing else was started again');
  },
);

t.test('a child whose event loop stands is gone too after the supervisor was killed', async (t) => {
  const r = run(t, 'stands', 'steady');
  await r.until(() => r.of('ready').length === 2);
  r.process.kill('SIGKILL');
  await r.exit;
  const pids = r.of('ready').map(({ pid }) => pid);
  for (let i = 0; i < 1500 && pids.some(alive); i++) await sleep(20);
  t.strictSame(pids.filter(alive), []);
});
