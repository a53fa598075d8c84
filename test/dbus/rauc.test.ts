/** Updates of a device with RAUC. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { LinuxPower } from '../../src/platform/linux/linux-power.js';
import { Rauc } from '../../src/platform/linux/rauc.js';
import { temporaryFolder, until } from '../gateway/reader.js';
import { FileServer, silent, TestUpdater, type UpdaterWish } from '../gateway/updates.js';
import { eventually, LOGIND, mockRauc, RAUC, RAUC_MOCK, Services } from './services.js';

const GOOD = Buffer.from('a bundle of RAUC: only its mock looks into it');

async function parts(t: Test, parameters: object = {}) {
  const services = await Services.start(t);
  const rauc = await mockRauc(services, parameters);
  await services.mock(LOGIND.destination, '--template', 'logind');
  const stateDir = temporaryFolder(t);
  const start = async (more: UpdaterWish = {}) => {
    const engine = new Rauc(services.bus, silent);
    const reader = await TestUpdater.start(stateDir, {
      engine,
      reboot: rebootBy(services),
      confirmMs: 4000,
      ...more,
    });
    t.teardown(() => reader.updater.close());
    return { reader, engine };
  };
  /** The machine goes down and comes up again, and with it this service. */
  const reboot = async (reader: TestUpdater, more = {}) => {
    await reader.updater.close();
    await services.bus.call(RAUC_MOCK, 'Boot');
    return (await start(more)).reader;
  };
  const reboots = () => services.calls(LOGIND, 'Reboot');
  const marks = async () => (await services.bus.call(RAUC_MOCK, 'Marks')) as string[];
  const untilReboots = (count: number) =>
    eventually(`reboot ${count}`, async () => {
      if ((await reboots()) < count) throw new Error('not yet');
    });
  return { services, rauc, stateDir, start, reboot, reboots, marks, untilReboots };
}

/** Of the machine, by logind. */
function rebootBy(services: Services): () => Promise<void> {
  const power = new LinuxPower(services.bus, '', () => 0);
  return async () => (await power.prepareReboot())();
}

t.test('an update: installed, activated, rebooted, marked good', async (t) => {
  const { stateDir, start, reboot, marks, untilReboots } = await parts(t);
  const { reader, engine } = await start();
  t.match(await engine.slots(), [
    { name: 'rootfs.0', booted: true, primary: true, state: 'good', version: '1.0.0' },
    { name: 'rootfs.1', booted: false, primary: false, state: 'bad', version: '' },
  ]);
  const server = await FileServer.start(t, GOOD);
  await reader.begin(server.url);
  await untilReboots(1);
  t.same(
    (await marks()).filter((mark) => mark !== 'good rootfs.0'),
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
  t.equal((await marks()).at(-1), 'good rootfs.1');
  t.equal(await after.updater.revertVersion(), '1.0.0');

  t.comment('and a revert');
  (await after.updater.revert())();
  await untilReboots(2);
  t.equal((await marks()).at(-1), 'active rootfs.0');
  const reverted = await reboot(after);
  await until('it ends', () => reverted.updater.last);
  t.match(reverted.updater.last, { kind: 'revert', status: 'finished', version: '1.0.0' });
  t.equal((await marks()).at(-1), 'good rootfs.0');
});

t.test('bundles that RAUC refuses, or cannot install', async (t) => {
  const { start, marks, reboots } = await parts(t);
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
  t.equal(await reboots(), 0);
  t.notOk((await marks()).some((mark) => mark.startsWith('active')));
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
  const { services, start, reboot, untilReboots } = await parts(t);
  const { reader } = await start();
  await reader.begin((await FileServer.start(t, GOOD)).url);
  await untilReboots(1);
  await services.bus.call(RAUC_MOCK, 'BootLoaderGivesUp', 's', ['rootfs.1']);
  const after = await reboot(reader);
  await until('it ends', () => after.updater.last);
  t.match(after.updater.last, { status: 'failed', error: /does not boot/ });
});

t.test('a version that is not healthy is marked bad, and the machine goes back', async (t) => {
  const { start, reboot, marks, untilReboots } = await parts(t);
  const { reader } = await start();
  await reader.begin((await FileServer.start(t, GOOD)).url);
  await untilReboots(1);
  const sick = await reboot(reader, { radioAnswers: () => false, confirmMs: 300 });
  await untilReboots(2);
  t.same((await marks()).slice(-2), ['active rootfs.0', 'bad rootfs.1']);
  const after = await reboot(sick);
  await until('it ends', () => after.updater.last);
  t.match(after.updater.last, { status: 'failed', error: /the radio does not answer/ });
});

t.test('the power goes after RAUC has activated, before the record says so', async (t) => {
  const { services, start, reboot, marks } = await parts(t);
  const { reader } = await start();
  await reader.begin((await FileServer.start(t, GOOD)).url);
  const installed = () => reader.updater.status?.updateProgressDetails.os ?? 0;
  await until('RAUC installs', () => installed() > 0, 20_000);
  await reader.updater.close();
  await eventually('RAUC gets as far', async () => {
    const primary = await services.bus.call(RAUC, 'GetPrimary');
    if (primary !== 'rootfs.1') throw new Error('not yet');
  });
  const after = await reboot(reader);
  await until('it ends', () => after.updater.last);
  t.match(after.updater.last, { status: 'finished' });
  t.equal((await marks()).at(-1), 'good rootfs.1');
});

t.test('without RAUC an update is refused, and with it the next one is taken', async (t) => {
  const services = await Services.start(t);
  const engine = new Rauc(services.bus, silent);
  const reader = await TestUpdater.start(temporaryFolder(t), { engine });
  t.teardown(() => reader.updater.close());
  const server = await FileServer.start(t, GOOD);
  await t.rejects(reader.begin(server.url), { code: 'UNAVAILABLE', message: /RAUC.*not answer/ });
  const rauc = await mockRauc(services);
  await reader.begin(server.url);
  await until('it installs', () => reader.updater.status?.status === 'installing', 20_000);
  rauc.kill('SIGKILL');
  await until('RAUC is gone', () => reader.updater.last, 40_000);
  t.match(reader.updater.last, { status: 'failed', error: /RAUC.*not answer/ });
});
