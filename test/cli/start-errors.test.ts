/** What the command refuses before it starts anything: one line on stderr, exit code 2. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { takeLock } from '../../src/cli/state-lock.js';
import { VERSION } from '../../src/shared/package-info.js';
import { COMMAND, run, runAlone } from './command.js';

/** Its path is short enough for a Unix socket; that of t.testdir is not. */
function stateDir(t: Test): string {
  const dir = mkdtempSync(join(tmpdir(), 'singulate-'));
  t.teardown(() => rmSync(dir, { recursive: true }));
  return dir;
}

const refused = (message: string) => ({ code: 2, stdout: '', stderr: `singulate: ${message}\n` });

t.test('help, version and scenarios answer on stdout', async (t) => {
  t.match(await runAlone('--help'), { code: 0, stdout: /^Usage: singulate/, stderr: '' });
  t.match(await run('help'), { code: 0, stdout: /^Usage: singulate/ });
  t.strictSame(await run('--version'), { code: 0, stdout: `${VERSION}\n`, stderr: '' });
  const list = await run('scenarios');
  t.match(
    list.stdout,
    /^array-reader {4}.*\nconveyor {8}A belt.*\ndock-door {7}A dock door(.|\n)*retail-shelf {4}A shelf/,
  );
  const { stdout } = await run('scenarios', '--schema');
  t.match(JSON.parse(stdout), { title: 'Singulate scenario', type: 'object' });
});

t.test('a wrong option is refused', async (t) => {
  t.strictSame(
    await runAlone('--colour'),
    refused('unknown option --colour (singulate --help lists what there is)'),
  );
});

t.test(
  'too few open files are refused, instead of services that end again and again',
  async (t) => {
    const script = `ulimit -n 40 && exec "$0" "$@"`;
    const args = [process.execPath, COMMAND, 'start', '--state-dir', stateDir(t)];
    const { status, stderr } = spawnSync('/bin/sh', ['-c', script, ...args], { encoding: 'utf8' });
    t.equal(status, 2);
    t.equal(
      stderr,
      'singulate: the limit of open files is 40; at least 64 are needed (ulimit -n)\n',
    );
  },
);

const TLS = ['--grpc-cert', 'cert.pem', '--grpc-key', 'key.pem', '--grpc-client-ca', 'ca.pem'];

t.test('gRPC on a port is refused without certificates', async (t) => {
  const hint = '(singulate grpc-certificates DIR makes them; docs/grpc-security.md)';
  t.strictSame(
    await run('--state-dir', stateDir(t), '--grpc-port', '15051'),
    refused(`--grpc-port 15051 needs --grpc-cert ${hint}`),
  );
  t.strictSame(
    await run('--state-dir', stateDir(t), '--grpc-cert', 'cert.pem'),
    refused('--grpc-cert is for --grpc-listen or --grpc-port'),
  );
});

t.test('a busy port is refused by its number and option', async (t) => {
  const busy = createServer().listen(0, '127.0.0.1');
  await once(busy, 'listening');
  t.teardown(() => busy.close());
  const { port } = busy.address() as { port: number };
  for (const option of ['--rest-port', '--mqtt-port', '--grpc-port']) {
    const others = { '--rest-port': '18443', '--mqtt-port': '11883', '--grpc-port': '15051' };
    const args = [...Object.entries({ ...others, [option]: String(port) }).flat(), ...TLS];
    const dir = stateDir(t);
    t.strictSame(
      // It has the lock until the end of its process.
      await runAlone('--state-dir', dir, ...args),
      refused(`${option}: port ${port} is in use by another program`),
    );
    t.notOk(existsSync(join(dir, 'singulate.lock')), 'the lock is given back');
  }
  t.strictSame(
    await run(
      '--state-dir',
      stateDir(t),
      ...'--rest-port 7001 --grpc-port 7001'.split(' '),
      ...TLS,
    ),
    refused('--rest-port and --grpc-port are both 7001; allowed: two ports'),
  );
});

t.test('a state dir that cannot be used is refused', async (t) => {
  const dir = t.testdir({ file: 'not a folder' });
  const under = await run('--state-dir', join(dir, 'file/below'));
  t.match(under, { code: 2, stderr: /^singulate: .*file\/below.*\n$/ });
  const at = await run('--state-dir', join(dir, 'file'));
  t.match(at, { code: 2, stderr: /^singulate: .*\/file.*\n$/ });
  const long = join(dir, 'x'.repeat(120));
  t.match(await run('--state-dir', long), {
    code: 2,
    stderr: /^singulate: --state-dir: .* is too long: .*; choose a shorter --state-dir\n$/,
  });
});

t.test(
  'a state dir in use by a running instance is refused, a stale lock is taken over',
  async (t) => {
    const dir = stateDir(t);
    const release = takeLock(dir);
    t.strictSame(
      await run('--state-dir', dir),
      refused(`--state-dir: ${dir} is in use by another running instance (process ${process.pid})`),
    );
    release();
    t.notOk(existsSync(join(dir, 'singulate.lock')));

    // A process that has ended, an id that another program has now, and rubbish.
    for (const stale of ['999999999 5\n', `${process.ppid} 1\n`, 'rubbish', '']) {
      writeFileSync(join(dir, 'singulate.lock'), stale);
      takeLock(dir)();
      t.notOk(existsSync(join(dir, 'singulate.lock')), JSON.stringify(stale));
    }
  },
);
