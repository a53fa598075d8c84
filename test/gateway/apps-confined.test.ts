/** What an application cannot do, and that nothing of it outlives a stop, whatever it did. */
import { chownSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { findLauncher } from '../../src/reader-gateway/apps/launcher.js';
import { until } from './reader.js';
import { AppReader, answering, appPackage, pidsWith } from './user-apps.js';

const isRoot = process.getuid?.() === 0;
/** Runs what it is sent, as a body of an async function. */
const RUNS = answering(
  `async (code) => { try { return String(await new Function('m', 'return (async () => {' + code + '})()')(m)) } catch (e) { return e.code ?? String(e) } }`,
  `import * as fs from 'node:fs'; import * as child from 'node:child_process'; import * as os from 'node:os';
   const m = { fs, child, os };`,
);

t.test('one reader', { skip: isRoot ? false : 'as root' }, async (t) => {
  const apps = await AppReader.start(t, { userApps: { times: { graceMs: 300 } } });
  const { stateDir } = apps.reader;
  const installed = join(stateDir, 'apps', 'installed');
  const removed = join(stateDir, 'apps', 'removed');
  const { noNamespaces } = await findLauncher();
  const run = async (name: string) => {
    await apps.installed(appPackage(name, RUNS));
    await apps.do(name, 'start');
    await apps.connected(name);
  };
  const ask = async (name: string, code: string): Promise<string> =>
    (await apps.send(name, code)).json.response;
  // Its environment names a plain file of its own as the socket of an application.
  const leave = (name: string, mark: string) =>
    ask(
      name,
      `m.fs.writeFileSync(m.os.tmpdir() + '/mine', '');
       const env = { ...process.env, SINGULATE_APP_SOCKET: m.os.tmpdir() + '/mine' };
       const loop = 'while true; do mkdir -p d$RANDOM; echo secret > d$RANDOM/f 2>/dev/null; echo x > f$RANDOM; sleep 0.01; done # ${mark}';
       for (const leave of ['', 'exec setsid --fork '])
         m.child.spawn('setsid', ['--fork', 'bash', '-c', leave + 'bash -c "$0"', loop], { env, stdio: 'ignore' });
       return 'left';`,
    );

  await t.test('what left its session and lies about whose it is ends with a stop', async (t) => {
    await run('liar');
    const mark = `liar of ${stateDir}`;
    t.equal(await leave('liar', mark), 'left');
    await until('both live', () => pidsWith(mark).length >= 2);
    await apps.do('liar', 'stop');
    t.same(pidsWith(mark), []);
  });

  await t.test('one that writes on leaves nothing when it is uninstalled', async (t) => {
    await apps.do('liar', 'start');
    await apps.connected('liar');
    await ask('liar', `m.fs.writeFileSync('secret', 'x', { mode: 0o600 })`);
    const mark = `writer of ${stateDir}`;
    await leave('liar', mark);
    await until('both live', () => pidsWith(mark).length >= 2);
    t.match(await apps.reader.call('PUT', 'apps/liar/uninstall'), { status: 200 });
    t.same(pidsWith(mark), []);
    t.same(readdirSync(installed), []);
    t.same(readdirSync(removed), []);
  });

  await t.test('no capabilities, no system calls of an administrator, first to go', async (t) => {
    await run('meek');
    const status = await ask('meek', `return m.fs.readFileSync('/proc/self/status', 'utf8')`);
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) {
      t.match(status, new RegExp(`^${set}:\\t0+$`, 'm'));
    }
    t.match(status, /^NoNewPrivs:\t1$/m);
    t.match(status, /^Seccomp:\t2$/m);
    t.equal(
      await ask('meek', `return m.fs.readFileSync('/proc/self/oom_score_adj', 'utf8')`),
      '500\n',
    );
    const refused = await ask(
      'meek',
      `return m.child.spawnSync('unshare', ['--user', 'true'], { encoding: 'utf8' }).stderr`,
    );
    t.match(refused, /Operation not permitted/);
    const { protection = '' } = apps.app('meek') ?? {};
    t.match(protection, /^no capabilities, no new privileges, filtered system calls, /);
    t.comment(protection);
  });

  await t.test(
    'of its own are /tmp, which is small, and its processes',
    { skip: noNamespaces === undefined ? false : noNamespaces },
    async (t) => {
      const own = `singulate ${Date.now()}`;
      const fill = (folder: string) =>
        ask(
          'meek',
          `const file = m.fs.openSync('${folder}/big', 'w');
           try { for (let i = 0; i < 64; i++) m.fs.writeSync(file, Buffer.alloc(1 << 20)); return 'all written'; }
           finally { m.fs.closeSync(file); m.fs.rmSync('${folder}/big'); }`,
        );
      for (const folder of ['/tmp', '/var/tmp', '/dev/shm']) {
        t.equal(await fill(folder), 'ENOSPC', folder);
        writeFileSync(join(folder, own), '');
        t.teardown(() => rmSync(join(folder, own)));
        t.notMatch(await ask('meek', `return m.fs.readdirSync('${folder}').join()`), own);
      }
      for (const folder of ['/run/lock', '/dev/mqueue', dirname(stateDir)]) {
        if (!existsSync(folder)) continue;
        const answer = await ask(
          'meek',
          `m.fs.writeFileSync('${folder}/${own} too', ''); return 'written'`,
        );
        if (folder === dirname(stateDir)) t.notOk(existsSync(join(folder, `${own} too`)));
        else t.match(answer, /^(EROFS|EACCES)$/, folder);
      }
      const commands = await ask(
        'meek',
        `return m.fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).map((pid) => m.fs.readFileSync('/proc/' + pid + '/cmdline', 'utf8')).join()`,
      );
      t.match(commands, 'main.mjs', 'its own');
      t.notMatch(commands, 'apps-confined', 'not that of this test');
    },
  );

  await t.test('its successor has another user while files of it remain', async (t) => {
    const { user = '' } = apps.app('meek') ?? {};
    const uid = Number(/\d+$/.exec(user)?.[0]);
    await apps.do('meek', 'uninstall');
    const left = join(removed, 'meek-left', 'data');
    mkdirSync(left, { recursive: true });
    chownSync(left, uid, uid);
    await apps.installed(appPackage('next', RUNS));
    t.match(apps.app('next')?.user, /^its own user \d+$/);
    t.not(apps.app('next')?.user, user);
  });

  await t.test('a field of the manifest that means nothing is refused by its name', async (t) => {
    const { status, text } = await apps.install(appPackage('grand', RUNS, { user: 'root' }));
    t.equal(status, 400);
    t.match(text, /user.*there is no such field, allowed: name, version/);
    t.equal(apps.app('grand'), undefined);
  });
});
