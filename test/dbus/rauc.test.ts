/** Updates of a device with RAUC. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { RaucEngine } from '../../src/reader-gateway/update/rauc-engine.js';
import { temporaryFolder, until } from '../gateway/reader.js';
import { FileServer, silent, TestUpdater } from '../gateway/updates.js';
import { RAUC, TestBus } from './bus.js';

const GOOD = Buffer.from('a bundle of RAUC: only its mock looks into it');

async function parts(t: Test, parameters: object = {}) {
  const bus = await TestBus.start(t);
  const rauc = await bus.mockRauc(parameters);
  await bus.mockLogind();
  const stateDir = temporaryFolder(t);
  const start = async (more: ConstructorParameters<typeof TestUpdater>[1] = {}) => {
    const engine = new RaucEngine({ log: silent });
    const reader = await TestUpdater.start(stateDir, { engine, confirmMs: 4000, ...more });
    t.teardown(() => reader.updater.close());
    return { reader, engine };
  };
  /** The machine goes down and comes up again, and with it this service. */
  const reboot = async (reader: TestUpdater, more = {}) => {
    await reader.updater.close();
    await bus.client.call(RAUC, 'Boot');
    return (await start(more)).reader;
  };
  const untilReboots = async (count: number) => {
    for (const end = Date.now() + 20_000; (await bus.reboots()) < count; ) {
      if (Date.now() > end) throw new Error(`no reboot ${count}`);
    }
  };
  return { bus, rauc, stateDir, start, reboot, untilReboots };
}

t.test('an update: installed, activated, rebooted, marked good', async (t) => {
  const { bus, stateDir, start, reboot, untilReboots } = await parts(t);
  const { reader, engine } = await start();
  t.match(await engine.slots(), [
    { name: 'rootfs.0', booted: true, primary: true, state: 'good', version: '1.0.0' },
    { name: 'rootfs.1', booted: false, primary: false, state: 'bad', version: '' },
  ]);
  const server = await FileServer.start(t, GOOD);
  await reader.begin(server.url);
  await untilReboots(1);
  t.same(
    (await bus.marks()).filter((mark) => mark !== 'good rootfs.0'),
    ['active rootfs.1'],
  );
  const percents = reader.told.map(({ updateProgressDetails }) => updateProgressDetails.os);
  t.ok(new Set(percents).size >= 3, `the progress of RAUC is told: ${percents}`);
  t.match(reader.told.at(-1), { status: 'rebooting' });
  t.notOk(existsSync(join(stateDir, 'update', 'download')));
  t.equal(reader.updater.status?.status, 'rebooting', 'until the machine is down');
  const after = await reboot(reader);
  await until('it ends', () => after.updater.last);
  t.match(after.updater.last, { status: 'finished', version: '2.0.0' });
  t.equal((await bus.marks()).at(-1), 'good rootfs.1');
  t.equal(await after.updater.revertVersion(), '1.0.0');

  t.comment('and a revert');
  (await after.updater.revert())();
  await untilReboots(2);
  t.equal((await bus.marks()).at(-1), 'active rootfs.0');
  const reverted = await reboot(after);
  await until('it ends', () => reverted.updater.last);
  t.match(reverted.updater.last, { kind: 'revert', status: 'finished', version: '1.0.0' });
  t.equal((await bus.marks()).at(-1), 'good rootfs.0');
});

t.test('bundles that RAUC refuses, or cannot install', async (t) => {
  const { bus, start } = await parts(t);
  const { reader } = await start();
  for (const [content, reason] of [
    ['unsigned', /signature verification failed/],
    ['foreign', /is for "another", and this is "test-reader"/],
    ['failing', /RAUC: Installation error: no space left on slot/],
  ] as const) {
    const server = await FileServer.start(t, Buffer.from(content));
    await reader.begin(server.url);
    await until('the end', () => reader.updater.last, 20_000);
    t.match(reader.updater.last, { status: 'failed', error: reason });
  }
  t.equal(await bus.reboots(), 0);
  t.notOk((await bus.marks()).some((mark) => mark.startsWith('active')));
  t.equal(await reader.updater.revertVersion(), '');
  await t.rejects(reader.updater.revert(), { code: 'NOT_FOUND' });
});

t.test('RAUC before InspectBundle is asked with Info', async (t) => {
  const { start, untilReboots } = await parts(t, { old: true });
  const { reader } = await start();
  await reader.begin((await FileServer.start(t, GOOD)).url);
  await untilReboots(1);
  t.equal(reader.updater.status?.status, 'rebooting');
});

t.test('the boot loader gave the new version up: the update has failed', async (t) => {
  const { bus, start, reboot, untilReboots } = await parts(t);
  const { reader } = await start();
  await reader.begin((await FileServer.start(t, GOOD)).url);
  await untilReboots(1);
  await bus.client.call(RAUC, 'BootLoaderGivesUp', 's', ['rootfs.1']);
  const after = await reboot(reader);
  await until('it ends', () => after.updater.last);
  t.match(after.updater.last, { status: 'failed', error: /does not boot/ });
});

t.test('a version that is not healthy is marked bad, and the machine goes back', async (t) => {
  const { bus, start, reboot, untilReboots } = await parts(t);
  const { reader } = await start();
  await reader.begin((await FileServer.start(t, GOOD)).url);
  await untilReboots(1);
  const sick = await reboot(reader, { radioAnswers: () => false, confirmMs: 300 });
  await untilReboots(2);
  t.same((await bus.marks()).slice(-2), ['active rootfs.0', 'bad rootfs.1']);
  const after = await reboot(sick);
  await until('it ends', () => after.updater.last);
  t.match(after.updater.last, { status: 'failed', error: /the radio does not answer/ });
});

t.test('the power goes after RAUC has activated, before the record says so', async (t) => {
  const { bus, start, reboot } = await parts(t);
  const { reader } = await start();
  await reader.begin((await FileServer.start(t, GOOD)).url);
  const installed = () => reader.updater.status?.updateProgressDetails.os ?? 0;
  await until('RAUC installs', () => installed() > 0, 20_000);
  await reader.updater.close();
  for (const end = Date.now() + 20_000; ; ) {
    const [primary] = await bus.client.call(
      { ...RAUC, interface: 'de.pengutronix.rauc.Installer' },
      'GetPrimary',
    );
    if (primary === 'rootfs.1') break;
    if (Date.now() > end) throw new Error('RAUC did not get as far');
  }
  const after = await reboot(reader);
  await until('it ends', () => after.updater.last);
  t.match(after.updater.last, { status: 'finished' });
  t.equal((await bus.marks()).at(-1), 'good rootfs.1');
});

t.test('without RAUC an update is refused, and with it the next one is taken', async (t) => {
  const bus = await TestBus.start(t);
  const engine = new RaucEngine({ log: silent });
  const reader = await TestUpdater.start(temporaryFolder(t), { engine });
  t.teardown(() => reader.updater.close());
  const server = await FileServer.start(t, GOOD);
  await t.rejects(reader.begin(server.url), { code: 'UNAVAILABLE', message: /RAUC.*not answer/ });
  const rauc = await bus.mockRauc();
  await bus.mockLogind();
  await reader.begin(server.url);
  await until('it installs', () => reader.updater.status?.status === 'installing', 20_000);
  rauc.kill('SIGKILL');
  await until('RAUC is gone', () => reader.updater.last, 40_000);
  t.match(reader.updater.last, { status: 'failed', error: /RAUC.*not answer/ });
});
