/** Installing a PFX by its content: what is written, and what is refused. */
import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { Authority, pfxOf, selfSigned } from './certificates.js';
import { OPENSSL_EC_PFX, OPENSSL_PASSWORD, OPENSSL_RSA_PFX } from './openssl-pfx.js';
import { TestReader } from './reader.js';

t.test('one reader and PFX files', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const authority = new Authority();
  const pair = authority.issue({ name: 'client one' });
  const folder = (name: string, type = 'client') =>
    join(reader.stateDir, 'certificates', type, name);
  const read = (name: string, file: string) => readFileSync(join(folder(name), file), 'utf8');
  const install = (name: string, body: object) =>
    reader.call('PUT', `certificates/${name}`, { name, type: 'client', ...body });
  const content = (pfx: Buffer) => pfx.toString('base64');

  t.test('certificate, key and CA are written, for the service alone', async (t) => {
    const pfx = pfxOf(pair, 'secret', [authority.cert]);
    const answer = await install('one', { pfxContent: content(pfx), pfxPassword: 'secret' });
    t.match(answer, { status: 200, text: '' });
    const certificate = new X509Certificate(read('one', 'cert.pem'));
    t.equal(certificate.subject, 'CN=client one');
    t.equal(new X509Certificate(read('one', 'ca.pem')).subject, 'CN=Test CA');
    t.match(read('one', 'key.pem'), /^-----BEGIN PRIVATE KEY-----/);
    for (const file of readdirSync(folder('one'))) {
      t.equal(statSync(join(folder('one'), file)).mode & 0o777, 0o600, file);
    }
    t.equal(statSync(folder('one')).mode & 0o777, 0o700);
    t.notMatch(read('one', 'meta.json'), /secret/);
  });

  t.test('PFX files of OpenSSL 3 are read, with keys of RSA and of curves', async (t) => {
    for (const pfxContent of [OPENSSL_RSA_PFX, OPENSSL_EC_PFX]) {
      const answer = await install('openssl', { pfxContent, pfxPassword: OPENSSL_PASSWORD });
      t.match(answer, { status: 200 });
      t.match(new X509Certificate(read('openssl', 'cert.pem')).subject, /^O=Fixture\nCN=fixture/);
      t.match(read('openssl', 'key.pem'), /^-----BEGIN PRIVATE KEY-----/);
    }
  });

  t.test('an old cipher and no password are read too', async (t) => {
    const old = pfxOf(pair, 'secret', [], { algorithm: '3des' });
    t.match(await install('old', { pfxContent: content(old), pfxPassword: 'secret' }), {
      status: 200,
    });
    const open = pfxOf(pair, '');
    t.match(await install('open', { pfxContent: content(open) }), { status: 200 });
  });

  t.test('the intermediates follow the certificate, in their order', async (t) => {
    const middle = authority.intermediate('Middle CA');
    const leaf = middle.issue({ name: 'leaf' });
    const pfx = pfxOf(leaf, 'x', [authority.cert, middle.cert]);
    t.match(await install('chain', { pfxContent: content(pfx), pfxPassword: 'x' }), {
      status: 200,
    });
    const subjects = read('chain', 'cert.pem')
      .split(/(?=-----BEGIN)/)
      .map((pem) => new X509Certificate(pem).subject);
    t.same(subjects, ['CN=leaf', 'CN=Middle CA']);
  });

  t.test('what is wrong is named, and the installed one stays', async (t) => {
    const before = read('one', 'cert.pem');
    const good = pfxOf(pair, 'secret');
    const other = authority.issue({ name: 'other' });
    const expired = authority.issue({ name: 'late', expired: true });
    const pem = (cert: string, key?: string) => ({
      publicKeyFileContent: cert,
      ...(key === undefined ? {} : { privateKeyFileContent: key }),
    });
    const cases: [object, RegExp][] = [
      [{ pfxContent: content(good), pfxPassword: 'wrong' }, /^pfxPassword: is not the password/],
      [{ pfxContent: content(good) }, /^pfxPassword: is required/],
      [{ pfxContent: '***' }, /^pfxContent: is not base64/],
      [{ pfxContent: content(Buffer.from('hello world')) }, /^pfxContent: is not a PFX/],
      [
        { pfxContent: content(good.subarray(0, 500)), pfxPassword: 'secret' },
        /^pfxContent: is not/,
      ],
      [
        { pfxContent: content(pfxOf({ cert: other.cert }, 'x')), pfxPassword: 'x' },
        /^pfxContent: the private key of the certificate is missing/,
      ],
      [
        { pfxContent: content(pfxOf(expired, 'x')), pfxPassword: 'x' },
        /^pfxContent: the certificate expired on \d{4}-\d\d-\d\d/,
      ],
      [pem(pair.cert, other.key), /^publicKeyFileContent: the private key does not belong/],
      [pem('no PEM at all', pair.key), /^publicKeyFileContent: has no certificate/],
      [pem(pair.cert, 'no PEM at all'), /^privateKeyFileContent: has no private key/],
      [{ privateKeyFileContent: pair.key }, /key without its certificate/],
      [{}, /^url: is required \(or pfxContent/],
      [{ ...pem(pair.cert, pair.key), pfxContent: content(good) }, /^pfxContent: is given beside/],
      [{ url: 'ftp://host/a.pfx' }, /^url: ftp: is not allowed/],
      [
        { url: 'https://host/a.pfx', headers: { 'a b': 'c' } },
        /^headers\["a b"\]: is not the name of a header/,
      ],
      [{ url: 'https://host/a', authenticationType: 'BASIC' }, /^options.username: is required/],
      [{ url: 'ftps://host/a%0d%0aDELE%20b' }, /^url: has a control character/],
    ];
    for (const [body, message] of cases) {
      // Without a source at all it would be a refresh.
      const answer = await install('one', { pfxPassword: undefined, timeoutInSec: 5, ...body });
      t.equal(answer.status, 400, answer.text);
      t.equal(answer.json.code, 1);
      t.match(answer.json.message, message);
      t.notMatch(answer.text, /PRIVATE KEY/);
    }
    t.equal(read('one', 'cert.pem'), before);
    t.same(
      readdirSync(join(reader.stateDir, 'certificates', 'client')).filter((name) => /~/.test(name)),
      [],
    );
  });

  t.test('one that is not yet valid is let in: the clock of a reader may be behind', async (t) => {
    const pfx = pfxOf(authority.issue({ name: 'early', notYet: true, days: 9 }), 'x');
    const answer = await install('early', { pfxContent: content(pfx), pfxPassword: 'x' });
    t.match(answer, { status: 200 });
  });

  t.test('a server certificate needs a key', async (t) => {
    const answer = await reader.call('PUT', 'certificates/ca', {
      type: 'server',
      CACertificateFileContent: authority.cert,
    });
    t.match(answer, { status: 400, json: { code: 1, message: /needs a certificate with its/ } });
  });

  t.test('a list of CAs is installed without a key', async (t) => {
    const list = authority.cert + selfSigned({ name: 'not a CA' }).cert;
    const answer = await install('list', { CACertificateFileContent: list });
    t.match(answer, { status: 200 });
    t.same(readdirSync(folder('list')).sort(), ['ca.pem', 'meta.json']);
    const { json } = await reader.call('GET', 'certificates');
    const record = json.find(({ name }: { name: string }) => name === 'list');
    t.equal(record.subjectName, 'CN=Test CA');
  });
});
