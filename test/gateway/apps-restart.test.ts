/** What becomes of user applications when the reader stops, is killed or boots, or they are replaced. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { FakeRadio } from './fake-radio.js';
import { radioTarget, temporaryFolder, until } from './reader.js';
import { AppReader, answering, appPackage, lives } from './user-apps.js';

const times = { graceMs: 300 };

/** One state folder, over several lives of the gateway. */
async function machine(t: Test) {
  const stateDir = temporaryFolder(t);
  const radio = new FakeRadio();
  await radio.listen(radioTarget(stateDir));
  t.teardown(() => radio.kill());
  return {
    stateDir,
    base: join(stateDir, 'apps'),
    start: (bootId: string) => AppReader.start(t, { stateDir, radio, bootId, userApps: { times } }),
  };
}

t.test('after a boot those with autostart run, within one boot those that ran', async (t) => {
  const { start } = await machine(t);
  const first = await start('boot 1');
  for (const name of ['auto', 'by-hand', 'auto-stopped']) await first.installed(appPackage(name));
  for (const name of ['auto', 'auto-stopped']) await first.do(name, 'autostart');
  for (const name of ['by-hand', 'auto-stopped']) await first.do(name, 'start');
  await first.do('auto-stopped', 'stop');
  const pid = first.reader.gateway.apps.pid('by-hand') ?? 0;
  await first.reader.gateway.stop();
  t.notOk(lives(pid), 'a reader that stops takes its applications along');

  const runs = (apps: AppReader) =>
    apps.reader.gateway.apps.list().filter((one) => one.runningStatus);
  const second = await start('boot 1');
  await until('two run', () => runs(second).length === 2);
  t.same(
    runs(second).map(({ appname }) => appname),
    ['auto', 'by-hand'],
  );
  await second.reader.gateway.stop();

  const third = await start('boot 2');
  await until('two run', () => runs(third).length === 2);
  t.same(
    runs(third).map(({ appname }) => appname),
    ['auto', 'auto-stopped'],
  );
});

t.test(
  'what a reader that was killed left running is ended before it is started again',
  async (t) => {
    const { start, base } = await machine(t);
    const first = await start('boot 1');
    await first.installed(appPackage('orphan'));
    await first.do('orphan', 'start');
    const run = join(base, 'installed', 'orphan', 'run.json');
    await first.reader.gateway.stop();
    t.notOk(existsSync(run), 'one that ended needs no remembering');

    // As a killed reader leaves it: a session of its own, and the file that remembers it.
    const orphan = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      detached: true,
      stdio: 'ignore',
    });
    const gone = new Promise((resolve) => orphan.once('exit', (_code, signal) => resolve(signal)));
    const pid = orphan.pid ?? 0;
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const facts = { pid, session: pid, startTicks: Number(fields[19]), bootId };
    writeFileSync(run, JSON.stringify({ ...facts, startTicks: facts.startTicks + 1_000_000 }));
    const second = await start('boot 1');
    await until('it runs', () => second.app('orphan')?.runningStatus);
    t.ok(lives(pid), 'a process that is older than the remembered one is another one');
    await second.reader.gateway.stop();
    writeFileSync(run, JSON.stringify(facts));
    const third = await start('boot 1');
    await until('it runs', () => third.app('orphan')?.runningStatus);
    t.equal(await gone, 'SIGKILL');
  },
);

t.test('a new version keeps data, autostart and user, and runs if the old one did', async (t) => {
  const { start, base } = await machine(t);
  const apps = await start('boot 1');
  const script = (version: string) =>
    answering(
      `(text) => { if (text) writeFileSync('note', text); return '${version} ' + readFileSync('note') }`,
      `import { readFileSync, writeFileSync } from 'node:fs';`,
    );
  await apps.installed(appPackage('grows', script('one')));
  await apps.do('grows', 'autostart');
  await apps.do('grows', 'start');
  await apps.connected('grows');
  t.same((await apps.send('grows', 'kept')).json, { response: 'one kept' });
  const { user } = apps.app('grows') ?? {};
  await apps.installed(appPackage('grows', script('two'), { version: '2.0' }));
  await apps.connected('grows');
  t.same((await apps.send('grows', '')).json, { response: 'two kept' });
  t.match(apps.app('grows'), { version: '2.0', autostart: true, user, runningStatus: true });
  t.equal(
    readdirSync(join(base, 'installed', 'grows', 'versions')).length,
    1,
    'the old one is gone',
  );
  await apps.do('grows', 'stop');
  await apps.installed(appPackage('grows', script('three'), { version: '3.0' }));
  t.match(apps.app('grows'), { version: '3.0', runningStatus: false });
});

t.test('an installation that was cut off leaves the old version, and nothing else', async (t) => {
  const { start, base } = await machine(t);
  const first = await start('boot 1');
  await first.installed(appPackage('whole', answering('() => "old"')));
  await first.do('whole', 'start');
  await first.reader.gateway.stop();
  const versions = join(base, 'installed', 'whole', 'versions');
  const [old] = readdirSync(versions);
  for (const folder of [
    join(versions, '0123456789ab'),
    join(base, 'staging', 'package-x'),
    join(base, 'installed', 'half'),
    join(base, 'removed', 'gone-0123456789ab', 'data'),
  ]) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'main.mjs'), 'half');
  }
  const second = await start('boot 1');
  await second.connected('whole');
  t.same((await second.send('whole', '')).json, { response: 'old' });
  t.same(readdirSync(versions), [old]);
  t.same(readdirSync(join(base, 'installed')), ['whole']);
  t.notOk(existsSync(join(base, 'staging')));
  t.same(readdirSync(join(base, 'removed')), []);
});
