/** Versions of the files in the state folder: older ones are migrated. Newer ones: state-damaged.test.ts. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { CABLE_MIGRATIONS, CABLES } from '../../src/reader-gateway/state/setting-kinds.js';
import { type Migration, migrate } from '../../src/shared/file-format.js';
import { Setting } from '../../src/shared/setting.js';
import { StateFile } from '../../src/shared/state-file.js';
import { TestReader, temporaryFolder } from './reader.js';

const OLD_CABLES = { 1: { cableLength: 10, cableLossPerHundredFt: 20 } };

t.test('migrations run step by step, from the version of the file', async (t) => {
  const steps: Migration[] = [
    (one) => ({ ...one, steps: ['1 to 2'] }),
    (two) => ({ ...two, steps: [...(two.steps as string[]), '2 to 3'] }),
  ];
  const content = (value: object) => migrate(value, steps).content;
  t.same(content({ name: 'x' }), { name: 'x', steps: ['1 to 2', '2 to 3'] }, 'no version is 1');
  t.same(content({ formatVersion: 1 }), { steps: ['1 to 2', '2 to 3'] });
  t.same(content({ formatVersion: 2, steps: ['was 2'] }), { steps: ['was 2', '2 to 3'] });
  t.same(content({ formatVersion: 3, steps: ['was 3'] }), { steps: ['was 3'] });
  t.throws(() => content({ formatVersion: 4 }), /version 4, written by newer .* up to version 3/);
  for (const formatVersion of [0, -1, 1.5, '2', null]) {
    t.throws(() => content({ formatVersion }), /formatVersion: .* is not a version of 1 to 3/);
  }
  const long = { formatVersion: 'x'.repeat(20_000) };
  t.throws(
    () => content(long),
    /^formatVersion: "x{1,100} is not a version/,
    'of it a part is shown',
  );
  t.same(migrate([1], steps).content, [1], 'what is no object is left to the check');
});

t.test('cable-loss.json', async (t) => {
  t.test('of version 1 gets its ports below a key', async (t) => {
    t.same(migrate(OLD_CABLES, CABLE_MIGRATIONS), {
      content: { ports: OLD_CABLES },
      from: 1,
      to: 2,
    });
  });

  t.test('is migrated by the first save, and kept as it was until the next start', async (t) => {
    const stateDir = temporaryFolder(t);
    const path = join(stateDir, 'cable-loss.json');
    const backup = `${path}.v1.bak`;
    const before = JSON.stringify(OLD_CABLES);
    writeFileSync(path, before);
    const first = await TestReader.start(t, { stateDir });
    t.match((await first.call('GET', 'cableLossCompensation')).json, OLD_CABLES);
    t.equal(readFileSync(path, 'utf8'), before, 'older software could still go on with it');
    const added = { 2: { cableLength: 1, cableLossPerHundredFt: 2 } };
    t.equal((await first.call('PUT', 'cableLossCompensation', added)).status, 200);
    await first.gateway.stop();
    const ports = { ...OLD_CABLES, ...added };
    t.same(JSON.parse(readFileSync(path, 'utf8')), { formatVersion: 2, ports });
    t.equal(readFileSync(backup, 'utf8'), before);
    const second = await TestReader.start(t, { stateDir, radio: first.radio });
    t.match((await second.call('GET', 'cableLossCompensation')).json, ports);
    await second.gateway.stop();
    t.notOk(existsSync(backup));
  });

  t.test('whose migration was cut off is migrated again', async (t) => {
    const stateDir = temporaryFolder(t);
    const path = join(stateDir, 'cable-loss.json');
    writeFileSync(path, JSON.stringify(OLD_CABLES));
    writeFileSync(`${path}.v1.bak`, '{"1": {"cableLe');
    const reader = await TestReader.start(t, { stateDir });
    t.notOk(existsSync(`${path}.v1.bak`), 'of a migration that never was');
    await reader.call('PUT', 'cableLossCompensation', OLD_CABLES);
    await reader.gateway.stop();
    t.equal(readFileSync(`${path}.v1.bak`, 'utf8'), JSON.stringify(OLD_CABLES), 'this is its own');
  });

  t.test('that cannot be right stays as it is', async (t) => {
    const stateDir = temporaryFolder(t);
    const path = join(stateDir, 'cable-loss.json');
    writeFileSync(path, '{"1": {"cableLength": -1}}');
    const setting = new Setting(stateDir, CABLES);
    await t.rejects(setting.load(), {
      code: 'CONFIG',
      message: /cable-loss\.json: .*ports\.?\[?1/,
    });
    t.same(readdirSync(stateDir), ['cable-loss.json']);
  });
});

t.test('every file that is written says its version', async (t) => {
  const reader = await TestReader.start(t);
  const { stateDir } = reader;
  await reader.call('PUT', 'config', { xml: '<x/>' });
  await reader.call('PUT', 'mode', { type: 'SIMPLE' });
  await reader.call('PUT', 'region', { region: 'listenland' });
  await reader.call('PUT', 'start');
  await reader.call('PUT', 'cableLossCompensation', OLD_CABLES);
  await reader.call('PUT', 'nameAndDescription', { name: 'a', description: 'b' });
  await reader.call('PUT', 'logs', { components: [] });
  await reader.call('PUT', 'timeZone', { timeZone: 'Berlin' });
  await reader.gateway.stop();
  const found = readdirSync(stateDir).filter((name) => name.endsWith('.json'));
  t.same(found.sort(), [
    'auth.json',
    'cable-loss.json',
    'config.json',
    'device.json',
    'logs.json',
    'mode.json',
    'name.json',
    'region.json',
    'run.json',
  ]);
  for (const name of found) {
    const { formatVersion } = JSON.parse(readFileSync(join(stateDir, name), 'utf8'));
    t.equal(formatVersion, name === 'cable-loss.json' ? 2 : 1, name);
  }
});

t.test('what a writer that was killed has left does not count, and goes', async (t) => {
  const stateDir = temporaryFolder(t);
  writeFileSync(join(stateDir, 'config.json'), '{"xml": "the old one"}');
  writeFileSync(join(stateDir, 'config.json.0123456789ab.tmp'), '{"xml": "half of the n');
  writeFileSync(join(stateDir, 'mine.tmp'), 'of somebody else');
  const reader = await TestReader.start(t, { stateDir });
  t.equal((await reader.call('GET', 'config')).json.xml, 'the old one');
  await reader.gateway.stop();
  const names = readdirSync(stateDir).filter((name) => name.endsWith('.tmp'));
  t.same(names, ['mine.tmp']);
});

t.test('a removed file is as if it had never been saved', async (t) => {
  const file = new StateFile(join(temporaryFolder(t), 'x.json'), (value) => value);
  await file.save({ a: 1 });
  await file.remove();
  t.equal(await file.load(), undefined);
});
