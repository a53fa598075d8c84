/** A reader whose service is not root runs no applications of others. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { whomToRunAs } from '../../src/reader-gateway/apps/users.js';
import { temporaryFolder } from './reader.js';
import { AppReader, appPackage } from './user-apps.js';

const WHY = /^this reader runs no user applications: its service is not root/;

t.test('only a developer runs them as the service', async (t) => {
  t.equal(whomToRunAs('linux', true), 'own');
  t.equal(whomToRunAs('emulated', true), 'own');
  t.equal(whomToRunAs('emulated', false), 'service');
  t.equal(whomToRunAs('linux', false), 'nobody');
});

t.test('where they can run as nobody they are not installed, and not started', async (t) => {
  const stateDir = temporaryFolder(t);
  // Of a time when the service was root.
  mkdirSync(join(stateDir, 'apps'), { mode: 0o700 });
  const record = {
    manifest: { name: 'old', version: '1', start: ['node', './main.mjs'] },
    version: '0123456789ab',
    autostart: false,
    uid: 60_600,
  };
  writeFileSync(join(stateDir, 'apps', 'registry.json'), JSON.stringify({ apps: [record] }));
  const apps = await AppReader.start(t, { stateDir, userApps: { runsAs: 'nobody' } });
  const refused = { status: 400, json: { code: 3, message: WHY } };
  t.match(await apps.install(appPackage('new')), refused);
  t.equal(apps.server.requests.length, 0, 'nothing was fetched');
  t.match(await apps.reader.call('PUT', 'apps/old/start'), {
    status: 400,
    json: { code: 3, message: /this reader runs no user applications/ },
  });
  t.match(apps.app('old'), { state: 'stopped', runningStatus: false });
});
