/** Versions that are no good: the device goes back by itself. */
import t from 'tap';
import { VERSION } from '../../src/shared/package-info.js';
import { temporaryFolder, until } from './reader.js';
import {
  type BundleWish,
  FileServer,
  makeBundle,
  readDevice,
  TestUpdater,
  type UpdaterWish,
} from './updates.js';

async function update(
  t: import('tap').Test,
  emulated: NonNullable<BundleWish['emulated']>,
  options: UpdaterWish = {},
) {
  const stateDir = temporaryFolder(t);
  const reader = await TestUpdater.start(stateDir, { confirmMs: 600, ...options });
  t.teardown(() => reader.updater.close());
  const server = await FileServer.start(t, makeBundle({ version: '2.0.0', emulated }));
  await reader.begin(server.url);
  return { stateDir, reader };
}

t.test('a version that does not boot: the old one runs', async (t) => {
  const { stateDir, reader } = await update(t, { boots: false });
  await until('the end', () => reader.updater.last);
  t.match(reader.updater.last, { status: 'failed', error: /does not boot/, version: '2.0.0' });
  t.match(readDevice(stateDir), {
    booted: 'A',
    version: VERSION,
    env: { primary: 'A', slots: { A: { state: 'good' }, B: { state: 'failed' } } },
  });
  t.equal(await reader.updater.revertVersion(), '', 'what failed is nothing to go back to');
});

t.test('a version that is not healthy in its time: back to the old one', async (t) => {
  const { stateDir, reader } = await update(t, { healthy: false });
  await until('the end', () => reader.updater.last);
  t.match(reader.updater.last, { status: 'failed', error: /was not healthy: .* plays/ });
  t.match(readDevice(stateDir), { booted: 'A', env: { slots: { B: { state: 'failed' } } } });
  t.same([...new Set(reader.told.map(({ status }) => status))].slice(-3), [
    'confirming',
    'rollingBack',
    'failed',
  ]);
});

t.test('a radio that answered before and does so no more is not healthy', async (t) => {
  let answers = true;
  const { stateDir, reader } = await update(t, {}, { radioAnswers: () => answers });
  answers = false;
  await until('the end', () => reader.updater.last);
  t.match(reader.updater.last, { status: 'failed', error: /the radio does not answer/ });
  t.equal(readDevice(stateDir).booted, 'A');
});

t.test('a radio that comes in time is healthy', async (t) => {
  let answers = true;
  const { stateDir, reader } = await update(
    t,
    {},
    { radioAnswers: () => answers, confirmMs: 20_000 },
  );
  answers = false;
  await until('it waits', () => reader.updater.status?.status === 'confirming');
  answers = true;
  await until('the end', () => reader.updater.last);
  t.match(reader.updater.last, { status: 'finished' });
  t.equal(readDevice(stateDir).booted, 'B');
});

t.test('a version that is never marked good boots only so often', async (t) => {
  const { stateDir, reader } = await update(
    t,
    { healthy: false },
    { maxBoots: 3, confirmMs: 60_000 },
  );
  await until('the first boot', () => reader.updater.status?.status === 'confirming');
  await reader.updater.close();
  const booted: string[] = [readDevice(stateDir).booted];
  let last: TestUpdater | undefined;
  while (booted.at(-1) === 'B') {
    last = await TestUpdater.start(stateDir, { confirmMs: 60_000 });
    booted.push(readDevice(stateDir).booted);
    if (booted.at(-1) === 'B') await last.updater.close();
  }
  t.same(booted, ['B', 'B', 'B', 'A']);
  await until('it is told', () => last?.updater.last);
  t.match(last?.updater.last, { status: 'failed', error: /does not boot|not healthy/ });
  await last?.updater.close();
});

t.test('a revert to a version that fails comes back as well', async (t) => {
  let answers = true;
  const { stateDir, reader } = await update(t, {}, { radioAnswers: () => answers });
  await until('the update ends', () => reader.updater.last);
  const proceed = await reader.updater.revert();
  answers = false;
  proceed();
  await until('the revert ends', () => reader.updater.last);
  t.match(reader.updater.last, { kind: 'revert', status: 'failed', error: /radio/ });
  t.match(readDevice(stateDir), { booted: 'B', version: '2.0.0' });
});
