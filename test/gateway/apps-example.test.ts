/** The sample application of the documentation, packed as it says and used as it says. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';
import { FakeRadio, read } from './fake-radio.js';
import { Listener, radioTarget, TestBroker, temporaryFolder, until } from './reader.js';
import { AppReader } from './user-apps.js';

t.test('the sample counts tags, tells new ones and takes commands', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'dock-door.tar.gz');
  // The line of docs/user-applications.md.
  const line = ['-czf', file, '-C', 'docs/examples/user-app', '.'];
  execFileSync('tar', line, { cwd: PACKAGE_ROOT });
  const documented = readFileSync(join(PACKAGE_ROOT, 'docs', 'user-applications.md'), 'utf8');
  t.match(documented, line.join(' ').replace(file, 'dock-door.tar.gz'));

  const stateDir = temporaryFolder(t);
  const radio = new FakeRadio();
  await radio.listen(radioTarget(stateDir));
  const broker = new TestBroker();
  await broker.start();
  const listener = new Listener(broker.url, 'singulate/d-evt');
  await until('the listener is there', () => listener.subscribed);
  t.teardown(async () => {
    listener.client.end(true);
    await broker.stop();
    radio.kill();
  });
  const apps = await AppReader.start(t, { stateDir, radio, broker });
  await apps.reader.dataConnected();
  await apps.installed(readFileSync(file));
  await apps.do('dock-door', 'start');
  await apps.connected('dock-door');
  const ask = async (command: string) => (await apps.send('dock-door', command)).json.response;
  t.equal(await ask('count'), '0');
  await apps.reader.call('PUT', 'start');
  await until('the reads are followed', () => radio.subscribers === 1);
  radio.send(read('aa01'), read('aa02'), read('aa01'));
  const told = () => listener.messages.filter(({ json }) => json.type === 'USERAPP');
  await until('two new tags were told', () => told().length === 2);
  t.match(
    told().map(({ json }) => json.data),
    [
      { appname: 'dock-door', event: { newTag: 'aa01', count: 1 } },
      { appname: 'dock-door', event: { newTag: 'aa02', count: 2 } },
    ],
  );
  t.equal(await ask('count'), '2');
  t.match(await ask('dance'), /unknown command; there are: count, reset/);
  await apps.do('dock-door', 'stop');
  t.match(apps.app('dock-door'), { state: 'stopped', lastEnd: 'exit code 0' });
  await apps.do('dock-door', 'start');
  await apps.connected('dock-door');
  t.equal(await ask('count'), '2', 'its data outlive it');
  t.equal(await ask('reset'), 'ok');
  t.equal(await ask('count'), '0');
});
