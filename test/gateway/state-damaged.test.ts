/**
 * A file of the state folder that cannot be used, damaged or of newer software: the reader starts with
 * the defaults of its part, says so, and keeps the file.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ensureLogin, INITIAL_PASSWORD } from '../../src/reader-gateway/auth/login-store.js';
import { findings, type Look } from '../../src/reader-gateway/management/checks.js';
import { eventSettings } from '../../src/reader-gateway/management/settings.js';
import { createLogger } from '../../src/shared/log.js';
import { StateFaults } from '../../src/shared/state-faults.js';
import { basic, PASSWORD, send, TestReader, temporaryFolder } from './reader.js';

const FILES = ['config', 'mode', 'run', 'cable-loss', 'region', 'name', 'logs', 'device'];
const ALL = [...FILES, 'apps/registry', 'update/update'].map((name) => `${name}.json`);
const CONTENTS: Record<string, string> = {
  'half a file': '{"type":',
  'a file of a newer version': '{"formatVersion": 99, "new": true}',
};
const silent = createLogger('reader_gateway', { level: 'silent' });

for (const [what, content] of Object.entries(CONTENTS)) {
  t.test(`${what} in the place of each: REST answers, with the defaults`, async (t) => {
    const stateDir = temporaryFolder(t);
    for (const folder of ['apps', 'apps/installed/mine', 'update']) {
      mkdirSync(join(stateDir, folder), { recursive: true });
    }
    for (const file of ALL) writeFileSync(join(stateDir, file), content);
    const reader = await TestReader.start(t, { stateDir });
    t.teardown(() => reader.gateway.stop());
    t.same((await reader.call('GET', 'mode')).json, { type: 'SIMPLE' });
    t.same((await reader.call('GET', 'config')).json.xml, '');
    const { text } = await reader.call('GET', 'metrics');
    for (const file of ALL) {
      const name = file.replace(/^.*\//, '');
      t.match(text, `singulate_state_file_faults{file="${name}"} 1`, name);
    }
    for (const file of ALL.filter((name) => name !== 'update/update.json')) {
      t.equal(readFileSync(join(stateDir, file), 'utf8'), content, `${file} is as it was`);
    }
    t.ok(existsSync(join(stateDir, 'apps/installed/mine')), 'what may be installed stays');

    t.equal((await reader.call('PUT', 'mode', { type: 'INVENTORY' })).status, 200);
    t.equal(readFileSync(join(stateDir, 'mode.json.damaged-1'), 'utf8'), content, 'and is kept');
    t.match(JSON.parse(readFileSync(join(stateDir, 'mode.json'), 'utf8')), { type: 'INVENTORY' });
    const after = (await reader.call('GET', 'metrics')).text;
    t.notMatch(after, 'file="mode.json"', 'what is set is right again');
    t.match(after, 'file="config.json"');
  });
}

t.test('the error is told as an event of the database', async (t) => {
  const look: Look = {
    service: true,
    module: true,
    trouble: '',
    lostReads: 0,
    missingAntennas: [],
    connections: [],
    lostEvents: new Map(),
    appsDown: [],
    ntp: undefined,
    measured: {
      cpu: 0,
      ram: 0,
      flash: { part: '/', percent: 0 },
      ambient: undefined,
      pa: undefined,
      stateFolder: { writable: true, freeBytes: 1e9 },
    },
    stateFaults: [{ file: 'mode.json', message: 'mode.json is not JSON' }],
  };
  t.match(
    findings(look, eventSettings({ errors: { database: true } })).filter(
      ({ level }) => level === 'error',
    ),
    [{ subsystem: 'database', instance: 'mode.json', message: 'mode.json is not JSON' }],
  );
});

t.test('of the files that were set aside a few are kept', async (t) => {
  const stateDir = temporaryFolder(t);
  for (let i = 0; i < 5; i++) {
    writeFileSync(join(stateDir, 'name.json'), `damaged ${i}`);
    const reader = await TestReader.start(t, { stateDir, keepsLogin: i > 0 });
    const body = { name: `dock ${i}`, description: '' };
    t.equal((await reader.call('PUT', 'nameAndDescription', body)).status, 200);
    await reader.gateway.stop();
    reader.radio.kill();
  }
  const kept = readdirSync(stateDir).filter((name) => /damaged/.test(name));
  t.same(
    kept.sort(),
    [1, 2, 3].map((i) => `name.json.damaged-${i}`),
  );
  t.equal(readFileSync(join(stateDir, 'name.json.damaged-3'), 'utf8'), 'damaged 4', 'the newest');
});

t.test('a damaged login lets nobody in, but who may read the state folder', async (t) => {
  const stateDir = temporaryFolder(t);
  await ensureLogin(stateDir, PASSWORD);
  const path = join(stateDir, 'auth.json');
  writeFileSync(path, 'not a login');
  const login = await ensureLogin(stateDir, undefined, { faults: new StateFaults(silent) });
  t.equal(login.passwordFile, join(stateDir, INITIAL_PASSWORD));
  t.equal(readFileSync(`${path}.damaged-1`, 'utf8'), 'not a login');
  const reader = await TestReader.start(t, { stateDir, keepsLogin: true });
  t.teardown(() => reader.gateway.stop());
  const enter = (password: string) =>
    send(reader.gateway.restUrl, 'GET', '/cloud/localRestLogin', {
      headers: basic('admin', password),
    });
  t.equal((await enter(PASSWORD)).status, 401);
  t.equal((await enter('')).status, 401);
  const password = readFileSync(join(stateDir, INITIAL_PASSWORD), 'utf8').trim();
  t.equal((await enter(password)).status, 200);
});

t.test('an import that is damaged, or wrong by now, does not keep REST off', async (t) => {
  for (const content of ['{"mode":', '{"config": {"READER-GATEWAY": {"retention": 7}}}']) {
    const stateDir = temporaryFolder(t);
    writeFileSync(join(stateDir, 'import.json'), content);
    const reader = await TestReader.start(t, { stateDir });
    t.equal((await reader.call('GET', 'mode')).status, 200);
    t.match((await reader.call('GET', 'metrics')).text, 'file="import.json"');
    await reader.gateway.stop();
    t.notOk(existsSync(join(stateDir, 'import.json')));
    t.equal(readFileSync(join(stateDir, 'import.json.damaged-1'), 'utf8'), content);
  }
});
