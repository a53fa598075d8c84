/** The service stops in the middle of an update. */
import { existsSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { VERSION } from '../../src/shared/package-info.js';
import { TestReader, temporaryFolder, until } from './reader.js';
import { FileServer, makeBundle, readDevice, TestUpdater, trustSigner } from './updates.js';

const MB = 1024 * 1024;

t.test('a stopped gateway goes on with its download where the disk surely has it', async (t) => {
  const stateDir = temporaryFolder(t);
  trustSigner(stateDir);
  const parts = { rootFileSystem: 20 * MB };
  const server = await FileServer.start(t, makeBundle({ version: '2.0.0', parts }));
  server.holdAfter = 18 * MB;
  const first = await TestReader.start(t, { stateDir });
  const request = { url: server.url, authenticationType: 'NONE', headers: { 'x-key': 'k' } };
  t.equal((await first.call('PUT', 'os', request)).status, 200);
  const file = join(stateDir, 'update', 'download');
  await until('most is there', () => existsSync(file) && statSync(file).size >= 17 * MB);
  await first.gateway.stop();
  t.equal(readDevice(stateDir).version, VERSION);
  server.holdAfter = Number.POSITIVE_INFINITY;
  const second = await TestReader.start(t, { stateDir, radio: first.radio });
  await until('it ends', () => second.upgrades.some(({ status }) => status === 'finished'), 20_000);
  t.match((await second.call('GET', 'status')).json.lastOsUpdate, { version: '2.0.0' });
  const resumed = server.requests.at(-1);
  t.equal(resumed?.status, 206);
  t.equal(resumed?.headers['x-key'], 'k', 'with the headers of the request');
  // Flushed in steps of 8 MiB: what is after the last one may be lost with the power.
  const from = Number(/\d+/.exec(resumed?.headers.range ?? '')?.[0]);
  t.ok(from >= 8 * MB && from <= 18 * MB, `from ${from}`);
  t.equal(readDevice(stateDir).version, '2.0.0');
  await second.gateway.stop();
});

t.test('a bundle that lost bytes with the power is downloaded once more', async (t) => {
  const stateDir = temporaryFolder(t);
  const server = await FileServer.start(t, makeBundle({ version: '2.0.0' }));
  const first = await TestUpdater.start(stateDir);
  first.updater.close();
  const file = join(stateDir, 'update', 'download');
  writeFileSync(file, server.content);
  truncateSync(file, 100_000);
  writeFileSync(
    join(stateDir, 'update', 'update.json'),
    JSON.stringify({
      kind: 'update',
      phase: 'installing',
      request: { url: server.url, authenticationType: 'NONE' },
      sha256: 'f'.repeat(64),
      version: '2.0.0',
      from: 'A',
      reboots: 0,
      radioAnswered: false,
      error: '',
      startedAt: new Date().toISOString(),
    }),
  );
  const second = await TestUpdater.start(stateDir);
  t.teardown(() => second.updater.close());
  await until('the end', () => second.updater.last);
  t.match(second.updater.last, { status: 'finished', version: '2.0.0' });
  t.equal(server.requests.length, 1);
});

t.test('a server that is gone after the restart: it is told that the update failed', async (t) => {
  const stateDir = temporaryFolder(t);
  const server = await FileServer.start(t, makeBundle({ version: '2.0.0' }));
  server.holdAfter = 1000;
  const first = await TestUpdater.start(stateDir);
  await first.begin(server.url, { retry: { policy: { retries: 1, wait: { min: 0, max: 0 } } } });
  await until('it downloads', () => server.requests.length > 0);
  await first.updater.close();
  server.stop();
  const second = await TestUpdater.start(stateDir);
  t.teardown(() => second.updater.close());
  await until('the end', () => second.updater.last);
  t.match(second.updater.last, { status: 'failed', error: /given up: .*ECONNREFUSED/ });
  t.match(second.told.at(-1), { status: 'failed' });
  t.equal(readDevice(stateDir).version, VERSION);
});
