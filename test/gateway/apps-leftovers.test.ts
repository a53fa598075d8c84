/** Ends of applications on machines that give them no processes of their own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { findLauncher } from '../../src/reader-gateway/apps/launcher.js';
import { killLeftovers } from '../../src/reader-gateway/apps/leftovers.js';
import { processesOf } from '../../src/reader-gateway/apps/processes.js';
import { freeUid } from '../../src/reader-gateway/apps/users.js';
import { temporaryFolder, until } from './reader.js';
import { lives, pidsWith } from './user-apps.js';

const skip = process.getuid?.() === 0 ? false : 'as root';
const STAYS = 'while true; do sleep 60; done';

/** One that nobody has, above those that readers beside this test give out first. */
function someUid(): number {
  const first = Array.from({ length: 100 }, (_, at) => 60_600 + at);
  return freeUid(first) ?? 0;
}

t.test('whatever left its session ends when the gateway is gone', { skip }, async (t) => {
  const { path, noNamespaces } = await findLauncher();
  const kinds = noNamespaces === undefined ? [[], ['--namespaces', '--tmp-bytes=65536']] : [[]];
  for (const more of kinds) {
    const folder = temporaryFolder(t);
    const uid = someUid();
    chownSync(folder, uid, uid);
    const mark = `left ${folder}`;
    const script = `for i in 1 2 3; do setsid --fork sh -c 'setsid --fork sh -c "$0"' '${STAYS} # ${mark}'; done; ${STAYS}`;
    const places = [`--work=${folder}`, `--keep=${folder}`];
    const args = [...more, `--uid=${uid}`, ...places, '--', '/bin/sh', '-c', script];
    const launcher = spawn(path, args, { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] });
    t.teardown(() => launcher.stdio[3]?.destroy());
    const exit = once(launcher, 'exit');
    await until('all have left', () => pidsWith(`-c\0${STAYS} # ${mark}`).length === 3);
    // As when it is killed: the kernel closes what it had open.
    launcher.stdio[3]?.destroy();
    t.same(await exit, [null, 'SIGKILL']);
    t.same(pidsWith(mark), [], more.join(' '));
  }
});

t.test('an application that ends takes all along, and its end is told', { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const uid = someUid();
  chownSync(folder, uid, uid);
  const { path } = await findLauncher();
  const mark = `left ${folder}`;
  const run = async (how: string) => {
    const script = `setsid --fork sh -c '${STAYS} # ${mark}'; ${how}`;
    const args = [`--uid=${uid}`, `--work=${folder}`, '--', '/bin/sh', '-c', script];
    const launcher = spawn(path, args, { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] });
    const end = await once(launcher, 'exit');
    t.same(pidsWith(mark), []);
    return end;
  };
  t.same(await run('exit 7'), [7, null]);
  t.same(await run('kill -TERM $$'), [null, 'SIGTERM']);
  t.same(await run('exec /nothing'), [127, null]);
});

t.test(
  'a process is believed to be of another reader only by a socket of root',
  { skip },
  async (t) => {
    const folder = temporaryFolder(t);
    chmodSync(folder, 0o755);
    const uid = someUid();
    const own = join(folder, 'own');
    const run = join(folder, 'run.json');
    const start = (said: string) =>
      spawn('sh', ['-c', STAYS], {
        uid,
        gid: uid,
        detached: true,
        stdio: 'ignore',
        env: { PATH: process.env.PATH, SINGULATE_APP_SOCKET: said },
      });
    const socketIn = async (path: string) => {
      const server = createServer().listen(path);
      t.teardown(() => server.close());
      await once(server, 'listening');
      chownSync(path, uid, uid);
      return path;
    };

    const file = join(folder, 'file');
    writeFileSync(file, '');
    chownSync(file, uid, uid);
    const shared = temporaryFolder(t);
    chmodSync(shared, 0o1777);
    const lies = [own, file, join(folder, 'nothing'), await socketIn(join(shared, 'socket'))];
    const liars = lies.map(start);
    const other = start(await socketIn(join(folder, 'socket')));
    t.teardown(() => {
      for (const process of [other, ...liars]) process.kill('SIGKILL');
    });
    await until('all run', () => processesOf(uid).length >= 5);
    t.not(someUid(), uid, 'its user is not given out meanwhile');
    await killLeftovers(run, uid, own);
    for (const { pid = 0 } of liars) t.notOk(processesOf(uid).includes(pid));
    t.ok(lives(other.pid ?? 0), 'that of another reader lives');
  },
);
