/** Bundles that must not be installed. */
import {
  appendFileSync,
  existsSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { Authority } from './certificates.js';
import { temporaryFolder, until } from './reader.js';
import { rsaKeys } from './rsa-keys.js';
import {
  type BundleWish,
  FileServer,
  makeBundle,
  readDevice,
  SIGNER,
  TestUpdater,
  trustSigner,
} from './updates.js';

const stranger = rsaKeys().privateKey;
const IMAGE = 'rootFileSystem.img';

const WRONG: [string, Omit<BundleWish, 'version'>, RegExp][] = [
  ['signed by a stranger', { key: stranger }, /signature .* not of anyone this reader trusts/],
  [
    'whose manifest was changed',
    {
      spoil: (folder) => {
        const path = join(folder, 'manifest.json');
        writeFileSync(path, readFileSync(path, 'utf8').replace('6.6.6', '6.6.7'));
      },
    },
    /signature/,
  ],
  [
    'with an empty signature',
    { spoil: (folder) => writeFileSync(join(folder, 'manifest.sig'), '') },
    /signature/,
  ],
  [
    'whose payload was changed',
    {
      spoil: (folder) => {
        const path = join(folder, IMAGE);
        const image = readFileSync(path);
        image[1000] = (image[1000] ?? 0) ^ 1;
        writeFileSync(path, image);
      },
    },
    /rootFileSystem.img of the bundle is damaged/,
  ],
  [
    'whose payload is longer',
    { spoil: (folder) => appendFileSync(join(folder, IMAGE), 'more') },
    /has 200004 bytes, not 200000/,
  ],
  [
    'with a file more',
    {
      spoil: (folder) => writeFileSync(join(folder, 'extra'), 'x'),
      files: ['manifest.json', 'manifest.sig', IMAGE, 'extra'],
    },
    /files that its manifest does not name/,
  ],
  ['without its payload', { files: ['manifest.json', 'manifest.sig'] }, /lacks its file/],
  ['without a signature', { files: ['manifest.json', IMAGE] }, /does not begin with manifest/],
  [
    'with a link',
    {
      spoil: (folder) => {
        rmSync(join(folder, IMAGE));
        symlinkSync('/etc/passwd', join(folder, IMAGE));
      },
    },
    /an entry that is no plain file/,
  ],
  [
    'with a path',
    { files: ['manifest.json', 'manifest.sig', `./${IMAGE}`] },
    /a file of a name that is not allowed/,
  ],
  ['for another device', { compatible: 'another-reader' }, /is for "another-reader"/],
];

t.test('a wrong bundle is refused and removed, and the device is as before', async (t) => {
  const stateDir = temporaryFolder(t);
  const reader = await TestUpdater.start(stateDir);
  t.teardown(() => reader.updater.close());
  const before = readDevice(stateDir);
  for (const [what, wish, reason] of WRONG) {
    const server = await FileServer.start(t, makeBundle({ version: '6.6.6', ...wish }));
    await reader.begin(server.url);
    await until(`the end of the bundle ${what}`, () => reader.updater.last);
    t.match(reader.updater.last, { status: 'failed', error: reason }, `a bundle ${what}`);
    t.notOk(existsSync(join(stateDir, 'update', 'download')), `${what}: it is removed`);
    t.same(readDevice(stateDir), before, `${what}: nothing was installed`);
    t.notOk(reader.told.some(({ status }) => status === 'rebooting'));
    server.stop();
  }
  const text = await FileServer.start(t, Buffer.from('<html>not here</html>'.repeat(100)));
  await reader.begin(text.url);
  await until('the end of a page', () => reader.updater.last);
  t.match(reader.updater.last, { status: 'failed', error: /not a tar file/ });
  const cut = await FileServer.start(t, makeBundle({ version: '6.6.6' }).subarray(0, 100_000));
  await reader.begin(cut.url);
  await until('the end of half a bundle', () => reader.updater.last);
  t.match(reader.updater.last, { status: 'failed', error: /cut off/ });
});

t.test('nothing is trusted without a certificate, or with one that is none', async (t) => {
  const stateDir = temporaryFolder(t);
  const reader = await TestUpdater.start(stateDir);
  t.teardown(() => reader.updater.close());
  const server = await FileServer.start(t, makeBundle({ version: '2.0.0' }));
  const trusted = join(stateDir, 'update', 'trusted.pem');
  rmSync(trusted);
  await reader.begin(server.url);
  await until('the end', () => reader.updater.last);
  t.match(reader.updater.last, {
    status: 'failed',
    error: /no bundle is trusted: there is no cert/,
  });
  writeFileSync(trusted, SIGNER.key);
  await reader.begin(server.url);
  await until('the end', () => reader.updater.last);
  t.match(reader.updater.last, { status: 'failed', error: /is not a PEM certificate/ });
});

t.test('one of several certificates is enough: keys can be changed', async (t) => {
  const stateDir = temporaryFolder(t);
  const reader = await TestUpdater.start(stateDir);
  t.teardown(() => reader.updater.close());
  const next = new Authority('Next signer');
  trustSigner(stateDir, { cert: `${next.cert}\n${SIGNER.cert}`, key: '' });
  for (const [version, key] of [
    ['2.0.0', SIGNER.key],
    ['3.0.0', next.key],
  ] as const) {
    const server = await FileServer.start(t, makeBundle({ version, key }));
    await reader.begin(server.url);
    await until('the end', () => reader.updater.last);
    t.match(reader.updater.last, { status: 'finished', version });
  }
});
