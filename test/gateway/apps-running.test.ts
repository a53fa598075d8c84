/** How user applications run: as whom, with what, within which limits, and how they end. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { codeRangeBytes } from '../../src/reader-gateway/apps/code-range.js';
import { until } from './reader.js';
import { AppReader, answering, appPackage, lives, pidsWith } from './user-apps.js';

const isRoot = process.getuid?.() === 0;

t.test('one reader', async (t) => {
  const times = { graceMs: 300, backoff: { firstMs: 20, maxMs: 100 } };
  process.env.SECRET_OF_THE_SERVICE = 'must not be seen';
  t.teardown(() => {
    delete process.env.SECRET_OF_THE_SERVICE;
  });
  const apps = await AppReader.start(t, { userApps: { times } });
  const { reader } = apps;
  const paths = (name: string) => {
    const root = join(reader.stateDir, 'apps', 'installed', name);
    return { data: join(root, 'data'), log: join(root, 'log'), socket: join(root, 'socket') };
  };
  const run = async (name: string, script: string, more: object = {}) => {
    await apps.installed(appPackage(name, script, more));
    await apps.do(name, 'start');
    t.teardown(() => apps.do(name, 'uninstall').catch(() => {}));
  };
  // As an older version may have left it.
  const lax = join(reader.stateDir, 'lax');
  writeFileSync(lax, 'x');
  chmodSync(lax, 0o644);
  const pidOf = (name: string) => reader.gateway.apps.pid(name) ?? 0;

  t.test(
    'it has a working folder, a small environment and a user of its own under root',
    async (t) => {
      const ask = `() => JSON.stringify({ env: process.env, cwd: process.cwd(), uid: process.getuid(), groups: process.getgroups() })`;
      await run('who', answering(ask));
      await apps.connected('who');
      const { env, cwd, uid, groups } = JSON.parse((await apps.send('who', '')).json.response);
      const { data, socket } = paths('who');
      t.equal(cwd, data);
      t.match(env, { HOME: data, SINGULATE_APP_SOCKET: socket, SINGULATE_APP_NAME: 'who' });
      t.notMatch(JSON.stringify(env), /must not be seen/);
      const { user = '' } = apps.app('who') ?? {};
      if (isRoot) {
        t.ok(uid >= 60600 && uid < 60856, `user ${uid}`);
        t.same(groups, [uid]);
        t.equal(user, `its own user ${uid}`);
        t.equal(statSync(data).uid, uid);
        t.equal(statSync(socket).uid, uid);
      } else {
        t.equal(uid, process.getuid?.());
        t.match(user, /^the user of the service \(\d+\): only root/);
      }
      t.equal(statSync(data).mode & 0o777, 0o700);
      t.equal(statSync(socket).mode & 0o777, 0o600);
    },
  );

  t.test('under root it reads no file of the service, nor of another application', async (t) => {
    await run(
      'spy',
      answering(
        `(path) => { try { return 'got ' + readdirSync(path) } catch (e) { try { return 'got ' + readFileSync(path) } catch (e) { return e.code } } }`,
        `import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';`,
      ),
    );
    await apps.connected('spy');
    // Not even there, where a /tmp of its own hides the state folder of this test.
    const allowed = isRoot ? /^(EACCES|ENOENT)$/ : /^got /;
    for (const path of ['auth.json', 'lax', 'tls/key.pem', 'apps/installed/who/data', '.']) {
      const { json } = await apps.send('spy', join(reader.stateDir, path));
      t.match(json.response, allowed, path);
    }
  });

  t.test('a link in its folder hands over nothing when it starts again', async (t) => {
    const target = join(reader.stateDir, 'target');
    mkdirSync(target, { mode: 0o700 });
    const { uid, mode } = statSync(target);
    const ask = `() => { for (const name of ['tmp', 'log', 'socket']) symlinkSync(${JSON.stringify(target)}, name); return 'linked'; }`;
    await run('linker', answering(ask, `import { symlinkSync } from 'node:fs';`));
    await apps.connected('linker');
    t.match((await apps.send('linker', '')).json, { response: 'linked' });
    await apps.do('linker', 'stop');
    await apps.do('linker', 'start');
    await apps.connected('linker');
    t.match(statSync(target), { uid, mode });
  });

  t.test('under root nothing of the package can be changed, nor be read by others', async (t) => {
    const facts = `() => { try { appendFileSync(process.env.SINGULATE_APP_DIR + '/main.mjs', 'x'); return 'written'; } catch (e) { return e.code; } }`;
    await run('frozen', answering(facts, `import { appendFileSync } from 'node:fs';`));
    await apps.connected('frozen');
    t.match((await apps.send('frozen', '')).json, { response: isRoot ? 'EACCES' : 'written' });
    const root = join(reader.stateDir, 'apps', 'installed', 'frozen');
    const [version = ''] = readdirSync(join(root, 'versions'));
    const { json } = await apps.send('spy', join(root, 'versions', version, 'main.mjs'));
    t.match(json.response, isRoot ? /^(EACCES|ENOENT)$/ : /^got /);
  });

  t.test('it has limits of its own', async (t) => {
    await run(
      'limited',
      answering(
        `() => readFileSync('/proc/self/limits', 'utf8') + readFileSync('/proc/self/status', 'utf8')`,
        `import { readFileSync } from 'node:fs';`,
      ),
      {
        memoryMb: 200,
        openFiles: 99,
        processes: 40,
      },
    );
    await apps.connected('limited');
    const { response } = (await apps.send('limited', '')).json;
    const bytes = 200 * 1024 * 1024 + codeRangeBytes();
    t.match(response, new RegExp(`Max data size +${bytes} +${bytes} `));
    t.match(response, /Max open files +99 +99/);
    t.match(response, /Max core file size +0 +0/);
    if (isRoot) t.match(response, /Max processes +40 +40/);
    t.match(response, /NoNewPrivs:\s+1/);
    t.match(apps.app('limited')?.limits, /^200 MB for each process.* 99 open files/);
  });

  t.test('one that takes too much memory ends, and is started again', async (t) => {
    const script = `const all = []; setInterval(() => all.push(Buffer.alloc(16 << 20, 1)), 5);`;
    await run('hungry', script, { memoryMb: 128 });
    await until('it has ended', () => (apps.app('hungry')?.restarts ?? 0) >= 1, 20_000);
    await apps.do('hungry', 'stop');
    t.match(apps.app('hungry'), { state: 'stopped', runningStatus: false });
  });

  t.test('one that fails is started again, ever later, until it is stopped', async (t) => {
    await run('failing', `process.exit(7)`);
    await until('three restarts', () => (apps.app('failing')?.restarts ?? 0) >= 3);
    t.match(apps.app('failing'), { lastEnd: 'exit code 7' });
    await apps.do('failing', 'stop');
    t.equal(apps.app('failing')?.state, 'stopped');
    t.equal(pidOf('failing'), 0);
  });

  t.test(
    'one that ends well stays ended; with "always" it comes back; with "never" it does not',
    async (t) => {
      await run('done', `setTimeout(() => process.exit(0), 20)`);
      await until('it has ended', () => apps.app('done')?.state === 'stopped');
      t.match(apps.app('done'), { lastEnd: 'exit code 0', restarts: 0 });
      await run('again', `setTimeout(() => process.exit(0), 20)`, { restart: 'always' });
      await until('it came back', () => (apps.app('again')?.restarts ?? 0) >= 2);
      await run('once', `process.exit(1)`, { restart: 'never' });
      await until('it has failed', () => apps.app('once')?.state === 'failed');
      t.match(apps.app('once'), { restarts: 0, runningStatus: false, lastEnd: 'exit code 1' });
    },
  );

  t.test('one that does not go on SIGTERM is killed, with all that it started', async (t) => {
    const script = answering(
      '() => "started"',
      `import { spawn } from 'node:child_process';
       process.on('SIGTERM', () => {});
       const stays = (name) => 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); // ' + name + process.env.HOME;
       spawn(process.execPath, ['-e', stays('child of ')], { stdio: 'inherit' });
       spawn(process.execPath, ['-e', stays('other of ')], { stdio: 'inherit', detached: true });`,
    );
    await run('stubborn', script);
    await apps.connected('stubborn');
    t.match((await apps.send('stubborn', '')).json, { response: 'started' });
    const { data } = paths('stubborn');
    const [child = 0] = pidsWith(`child of ${data}`);
    const [other = 0] = pidsWith(`other of ${data}`);
    t.ok(child && other, 'both are there');
    const own = pidOf('stubborn');
    await apps.do('stubborn', 'stop');
    for (const pid of [own, child, other]) t.notOk(lives(pid));
  });

  t.test('what it prints is kept, in files that cannot grow', async (t) => {
    const script = `for (let i = 0; i < 60000; i++) process.stdout.write('line ' + i + ' ' + 'x'.repeat(90) + '\\n');
      process.stdout.write('the last words\\n'); setInterval(() => {}, 1000);`;
    await run('talker', script);
    const { log } = paths('talker');
    const file = join(log, 'app.log');
    const newest = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
    await until('all is written', () => newest().includes('the last words'), 15_000);
    const files = readdirSync(log).sort();
    t.same(files, ['app.log', 'app.log.1', 'app.log.2']);
    for (const file of files) t.ok(statSync(join(log, file)).size <= 1024 * 1024, file);
    const before = readFileSync(join(log, 'app.log.1'), 'utf8');
    t.match((before + newest()).split('\n').at(-3), /^line 59999 /, 'the newest lines are kept');
  });

  t.test('arguments reach it as they are: there is no shell', async (t) => {
    const evil = '$(touch /tmp/x); `id` "quoted" \'single\' * ; rm -rf .';
    await run('quoted', answering('() => JSON.stringify(process.argv.slice(2))'), {
      start: ['node', './main.mjs', evil],
    });
    await apps.connected('quoted');
    t.same(JSON.parse((await apps.send('quoted', '')).json.response), [evil]);
  });
});
