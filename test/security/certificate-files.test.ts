/** Files that a client names by their path: below named folders, and never the reader's own. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { defaultFolders } from '../../src/reader-gateway/tls/named-files.js';
import { selfSigned, writePem } from '../gateway/certificates.js';
import { detailOf, listen, mqttTo, tryOut } from '../gateway/connection-tests.js';
import { TestReader, temporaryFolder } from '../gateway/reader.js';

const TEXT = 'does not name a file in PEM that this reader takes';

t.test('the files of the reader itself are never taken, wherever others may be', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const { stateDir } = reader;
  const key = join(stateDir, 'tls', 'key.pem');
  const folder = temporaryFolder(t);
  symlinkSync(key, join(folder, 'link.pem'));
  symlinkSync(join(stateDir, 'tls'), join(folder, 'tls'));
  const pair = writePem(folder, 'own', selfSigned({ name: 'own' }));
  const names = [
    key,
    join(stateDir, 'certificates', '..', 'tls', 'key.pem'),
    `${stateDir}/./tls//key.pem`,
    join(folder, 'link.pem'),
    join(folder, 'tls', 'key.pem'),
    join(stateDir, 'auth.json'),
    join(stateDir, 'event-numbers'),
    join(stateDir, 'initial-password'),
    join(stateDir, 'tls', 'nothing.pem'),
  ];

  t.test('as key of a certificate that is installed', async (t) => {
    for (const privateKeyFileLocation of names) {
      const body = { type: 'client', publicKeyFileLocation: pair.cert, privateKeyFileLocation };
      t.match(
        await reader.call('PUT', 'certificates/one', body),
        { status: 400, json: { message: `privateKeyFileLocation: ${TEXT}` } },
        privateKeyFileLocation,
      );
    }
  });

  t.test('as CA of a fetch', async (t) => {
    for (const CACertificateFileLocation of names) {
      const url = 'https://127.0.0.1:9/a';
      const body = { url, authenticationType: 'NONE', CACertificateFileLocation };
      const expected = { status: 400, json: { message: `CACertificateFileLocation: ${TEXT}` } };
      t.match(await reader.call('PUT', 'os', body), expected, CACertificateFileLocation);
    }
  });

  t.test('as key of a connection', async (t) => {
    const port = await listen(t, createServer());
    const security = { publicKeyFileLocation: pair.cert, privateKeyFileLocation: key };
    const result = await tryOut(reader, mqttTo(`ssl://127.0.0.1:${port}`, { security }));
    t.match(detailOf(result, 'tls'), TEXT);
  });

  t.test(
    'a file elsewhere is taken; what is there and is none is as what is not there',
    async (t) => {
      const { cert: publicKeyFileLocation, key: privateKeyFileLocation } = pair;
      const body = { type: 'client', publicKeyFileLocation, privateKeyFileLocation };
      t.match(await reader.call('PUT', 'certificates/one', body), { status: 200 });
      for (const publicKeyFileLocation of ['/etc/passwd', '/etc/nothing', '/etc', '/dev/zero']) {
        t.match(
          await reader.call('PUT', 'certificates/one', { type: 'client', publicKeyFileLocation }),
          { status: 400, json: { message: `publicKeyFileLocation: ${TEXT}` } },
        );
      }
    },
  );
});

t.test('below named folders only', async (t) => {
  const folder = temporaryFolder(t);
  const [inside, outside] = [join(folder, 'inside'), join(folder, 'inside-not')];
  for (const path of [inside, outside]) mkdirSync(path);
  const reader = await TestReader.start(t, { certificateFolders: [inside] });
  t.teardown(() => reader.gateway.stop());
  const own = selfSigned({ name: 'own' });
  const [good, bad] = [writePem(inside, 'one', own), writePem(outside, 'one', own)];
  symlinkSync(bad.cert, join(inside, 'link.pem'));
  writeFileSync(join(inside, 'text.pem'), 'no certificate');
  const install = (CACertificateFileLocation: string) =>
    reader.call('PUT', 'certificates/one', { type: 'client', CACertificateFileLocation });

  t.match(await install(good.cert), { status: 200 });
  const refused = `CACertificateFileLocation: ${TEXT}, below ${join(reader.stateDir, 'certificates')}, ${inside}`;
  for (const path of [
    bad.cert,
    join(outside, 'nothing.pem'),
    join(inside, '..', 'inside-not', 'one.cert.pem'),
    join(inside, 'link.pem'),
    outside,
  ]) {
    t.match(await install(path), { status: 400, json: { message: refused } }, path);
  }
  // Who named the folder may know what is in it.
  t.match(await install(join(inside, 'text.pem')), { json: { message: /is not a file in PEM/ } });

  t.test('what is installed may be named by its path, too', async (t) => {
    const { cert, key } = own;
    const content = { type: 'app', publicKeyFileContent: cert, privateKeyFileContent: key };
    t.match(await reader.call('PUT', 'certificates/two', content), { status: 200 });
    const path = join(reader.stateDir, 'certificates', 'app', 'two');
    const body = {
      type: 'client',
      publicKeyFileLocation: join(path, 'cert.pem'),
      privateKeyFileLocation: join(path, 'key.pem'),
    };
    t.match(await reader.call('PUT', 'certificates/three', body), { status: 200 });
  });
});

t.test('on a reader they are those of the system unless others are named', async (t) => {
  t.ok(defaultFolders('linux').includes('/etc/singulate/certificates'));
  t.same(defaultFolders('emulated'), ['/']);
});
