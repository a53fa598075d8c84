/** Certificates from a real FTPS server: pyftpdlib, of both kinds. */
import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';
import { Authority, pfxOf, writePem } from '../gateway/certificates.js';
import { TestReader, temporaryFolder, until } from '../gateway/reader.js';

const PROGRAM = join(PACKAGE_ROOT, 'test/ftps/server.py');

/** @returns Its port. */
async function startServer(t: Test, args: readonly string[]): Promise<number> {
  const server = spawn('/usr/bin/python3', [PROGRAM, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => server.kill());
  let text = '';
  server.stdout.on('data', (chunk) => {
    text += chunk;
  });
  await until('the server listens', () => text.includes('\n'));
  return Number(text);
}

for (const kind of ['explicit', 'implicit']) {
  t.test(`a certificate comes from pyftpdlib with ${kind} TLS, and is refreshed`, async (t) => {
    const reader = await TestReader.start(t);
    t.teardown(() => reader.gateway.stop());
    const authority = new Authority();
    const folder = temporaryFolder(t);
    const pair = writePem(folder, 'server', authority.issue({ name: 'files' }));
    mkdirSync(join(folder, 'files', 'below'), { recursive: true });
    const file = join(folder, 'files', 'below', 'reader.pfx');
    writeFileSync(file, pfxOf(authority.issue({ name: 'one' }), 'x'));
    const port = await startServer(t, [
      ...[pair.cert, pair.key, join(folder, 'files')],
      ...['me', 'my secret', kind],
    ]);
    const install = (body: object = {}) =>
      reader.call('PUT', 'certificates/real', {
        name: 'real',
        type: 'client',
        url: `ftps://127.0.0.1:${port}/below/reader.pfx`,
        authenticationType: 'BASIC',
        options: { username: 'me', password: 'my secret' },
        CACertificateFileContent: authority.cert,
        pfxPassword: 'x',
        ...body,
      });
    const subject = () => {
      const cert = join(reader.stateDir, 'certificates/client/real/cert.pem');
      return new X509Certificate(readFileSync(cert)).subject;
    };
    t.match(await install(), { status: 200, text: '' });
    t.equal(subject(), 'CN=one');
    writeFileSync(file, pfxOf(authority.issue({ name: 'two' }), 'x'));
    t.match(await reader.call('PUT', 'certificates/real', { type: 'client' }), {
      status: 200,
      text: '',
    });
    t.equal(subject(), 'CN=two');
    t.match(await install({ options: { username: 'me', password: 'no' } }), {
      status: 400,
      json: { code: 1, message: /^options: .* does not let us in/ },
    });
    t.match(await install({ url: `ftps://127.0.0.1:${port}/none.pfx` }), {
      status: 400,
      json: { code: 1, message: /^url: .*No such file/ },
    });
    t.match(await install({ CACertificateFileContent: new Authority('another').cert }), {
      status: 400,
      json: { code: 1, message: /^url: .* is not trusted/ },
    });
  });
}
