/** Changes of certificates that are cut off by a kill. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { CertificateFolders } from '../../src/reader-gateway/certificates/folders.js';
import { Authority, writePem } from './certificates.js';
import { TestReader, temporaryFolder, until } from './reader.js';

const WRITER = fileURLToPath(new URL('./fixtures/certificate-writer.js', import.meta.url));
const ROUNDS = 8;

t.test('whenever the writer is killed, the certificate is whole and fits its key', async (t) => {
  const stateDir = temporaryFolder(t);
  const authority = new Authority();
  for (const name of ['a', 'b']) writePem(stateDir, name, authority.issue({ name }));
  const folder = join(stateDir, 'certificates', 'client');
  for (let round = 0; round < ROUNDS; round++) {
    const writer: ChildProcess = spawn(process.execPath, [WRITER, stateDir], { stdio: 'ignore' });
    const gone = new Promise((resolve) => writer.once('exit', resolve));
    await until('it writes', () => existsSync(join(stateDir, 'writes')));
    await sleep(Math.random() * 30);
    writer.kill('SIGKILL');
    await gone;
    new CertificateFolders(stateDir).recover();
    t.same(readdirSync(folder), ['one']);
    const certificate = new X509Certificate(readFileSync(join(folder, 'one', 'cert.pem')));
    const key = createPrivateKey(readFileSync(join(folder, 'one', 'key.pem')));
    t.equal(certificate.checkPrivateKey(key), true);
  }
});

t.test('a start puts right every state between two renames', async (t) => {
  const reader = await TestReader.start(t);
  await reader.gateway.stop();
  const { stateDir } = reader;
  const folder = join(stateDir, 'certificates', 'client');
  const { cert, key } = new Authority().issue({ name: 'whole' });
  for (const name of ['between', '~old-replaced', 'replaced', '~new-1', '~gone-1', '~csr-waits']) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'cert.pem'), cert);
    writeFileSync(join(folder, name, 'key.pem'), key);
  }
  renameSync(join(folder, 'between'), join(folder, '~old-between'));
  const again = await TestReader.start(t, { stateDir, radio: reader.radio });
  t.teardown(() => again.gateway.stop());
  t.same(readdirSync(folder).sort(), ['between', 'replaced', '~csr-waits']);
  const { json } = await again.call('GET', 'certificates');
  t.match(json, [
    { name: 'factory' },
    { name: 'between', subjectName: 'CN=whole' },
    { name: 'replaced' },
  ]);
});
