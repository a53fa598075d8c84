/** Whom the reader believes that it downloads an update from. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { Authority } from './certificates.js';
import { temporaryFolder, until } from './reader.js';
import { FileServer, makeBundle, TestUpdater } from './updates.js';

const BUNDLE = makeBundle({ version: '2.0.0' });
const authority = new Authority();
const own = authority.issue({ name: 'files' });
const elsewhere = authority.issue({ name: 'files', hosts: ['files.example'] });

async function update(t: Test, served: typeof own, request: object) {
  const server = await FileServer.start(t, BUNDLE, served);
  const reader = await TestUpdater.start(temporaryFolder(t));
  t.teardown(() => reader.updater.close());
  await reader.begin(server.url, request);
  await until('the update ends', () => reader.updater.last);
  return { ...reader.updater.last };
}

t.test('a certificate of an unknown CA is refused before an update begins', async (t) => {
  const untrusted = { code: 'INVALID', message: /^url: .* is not trusted: .*certificate/ };
  await t.rejects(update(t, own, {}), untrusted);
});

t.test('a CA by its content, or by its file, makes it known', async (t) => {
  const CACertificateFileContent = authority.cert;
  t.match(await update(t, own, { CACertificateFileContent }), { status: 'finished' });
  const CACertificateFileLocation = join(temporaryFolder(t), 'ca.pem');
  writeFileSync(CACertificateFileLocation, authority.cert);
  t.match(await update(t, own, { CACertificateFileLocation }), { status: 'finished' });
});

t.test('the content wins over the file', async (t) => {
  const CACertificateFileLocation = join(temporaryFolder(t), 'ca.pem');
  writeFileSync(CACertificateFileLocation, new Authority('Another CA').cert);
  const both = { CACertificateFileLocation, CACertificateFileContent: authority.cert };
  t.match(await update(t, own, both), { status: 'finished' });
});

t.test('a certificate for another host passes only without verifyHost', async (t) => {
  const CACertificateFileContent = authority.cert;
  const refused = update(t, elsewhere, { CACertificateFileContent });
  await t.rejects(refused, { code: 'INVALID', message: /altname|ALTNAME/ });
  const request = { CACertificateFileContent, verifyHost: false };
  t.match(await update(t, elsewhere, request), { status: 'finished' });
});

t.test('without verifyPeer every certificate passes', async (t) => {
  t.match(await update(t, own, { verifyPeer: false }), { status: 'finished' });
});
