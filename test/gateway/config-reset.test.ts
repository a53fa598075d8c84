/** Factory reset. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ensureLogin } from '../../src/reader-gateway/auth/login-store.js';
import { RESET_FILES, requestReset } from '../../src/reader-gateway/settings/factory-reset.js';
import { PASSWORD, TestReader, temporaryFolder, until } from './reader.js';

t.test('a factory reset leaves a reader that was never set', async (t) => {
  const first = await TestReader.start(t);
  const { stateDir, radio } = first;
  const fresh = (await first.call('GET', 'config/export')).json;
  await first.call('PUT', 'config', { xml: '<x/>' });
  await first.call('PUT', 'mode', { type: 'CUSTOM', antennas: [2] });
  await first.call('PUT', 'nameAndDescription', { name: 'mine', description: '' });
  await first.call('PUT', 'hostname', { hostname: 'dock-seven' });
  await first.call('PUT', 'start', { doNotPersistState: false });
  for (const folder of ['apps/installed/x', 'certificates/client/x', 'spill/x', 'logs']) {
    mkdirSync(join(stateDir, folder), { recursive: true });
    writeFileSync(join(stateDir, folder, 'file'), '');
  }
  t.match(await first.call('PUT', 'config/reset', { confirm: true }), {
    status: 202,
    text: /reset and reboots/,
  });
  await until('it has rebooted', () => first.reboots === 1);
  t.notOk(radio.isReading);
  const second = first;
  t.teardown(() => second.gateway.stop());
  t.equal((await second.login()).status, 200, 'the login stays');
  t.same((await second.call('GET', 'config/export')).json, fresh);
  t.equal((await second.call('GET', 'network')).json.hostName, 'dock-seven', 'the network stays');
  t.notOk(radio.isReading);
  for (const gone of [
    'apps/installed',
    'certificates/client',
    'spill',
    'logs/file',
    'reset.json',
  ]) {
    t.notOk(existsSync(join(stateDir, gone)), gone);
  }
  t.ok(existsSync(join(stateDir, 'tls')), 'so that clients know it again');
});

t.test('only who says so resets', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  for (const [body, message] of [
    [{}, 'confirm: is required'],
    [{ confirm: false }, 'confirm: false is not one of true'],
    [{ confirm: 'true' }, 'confirm: "true" is not true or false'],
  ] as const) {
    t.match(await reader.call('PUT', 'config/reset', body), {
      status: 400,
      json: { code: 1, message },
    });
  }
  t.notOk(existsSync(join(reader.stateDir, 'reset.json')));
});

t.test('a reset that a kill cut off is done again, whatever is left', async (t) => {
  const stateDir = temporaryFolder(t);
  await ensureLogin(stateDir, PASSWORD);
  await requestReset(stateDir);
  // Some are gone already; none of these could be read.
  for (const name of RESET_FILES.slice(1)) writeFileSync(join(stateDir, name), 'damaged');
  writeFileSync(join(stateDir, 'cable-loss.json.v1.bak'), 'damaged');
  const reader = await TestReader.start(t, { stateDir });
  t.teardown(() => reader.gateway.stop());
  t.same((await reader.call('GET', 'mode')).json, { type: 'SIMPLE' });
  const left = readdirSync(stateDir).filter((name) => /json/.test(name));
  t.same(left, ['auth.json']);
});
