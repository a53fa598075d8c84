/** Certificates that are fetched over FTPS: TLS from the start (implicit), and AUTH TLS (explicit). */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { Authority, pfxOf, selfSigned } from './certificates.js';
import { FtpsServer, type FtpsSettings } from './file-servers.js';
import { TestReader } from './reader.js';

t.test('one reader and FTPS servers', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const authority = new Authority();
  const file = pfxOf(authority.issue({ name: 'by ftps' }), 'secret');
  const settings: FtpsSettings = {
    pair: authority.issue({ name: 'files' }),
    kind: 'implicit',
    user: 'me',
    password: 'my secret',
    files: { 'certs/a b.pfx': file, 'big.pfx': Buffer.alloc(600_000) },
  };
  const start = (t: Test, more: Partial<FtpsSettings> = {}) =>
    FtpsServer.start(t, { ...settings, ...more });
  const install = ({ port }: FtpsServer, body: object = {}, path = 'certs/a%20b.pfx') =>
    reader.call('PUT', 'certificates/ftps', {
      name: 'ftps',
      type: 'client',
      url: `ftps://127.0.0.1:${port}/${path}`,
      authenticationType: 'BASIC',
      options: { username: 'me', password: 'my secret' },
      CACertificateFileContent: authority.cert,
      pfxPassword: 'secret',
      ...body,
    });

  for (const kind of ['implicit', 'explicit'] as const) {
    t.test(`a file comes from a server of the ${kind} kind, all of it over TLS`, async (t) => {
      const server = await start(t, { kind });
      t.match(await install(server), { status: 200 });
      const cert = join(reader.stateDir, 'certificates/client/ftps/cert.pem');
      t.equal(new X509Certificate(readFileSync(cert)).subject, 'CN=by ftps');
      t.equal(server.secure, true);
      t.equal(server.commands.includes('PROT P'), true);
      t.match(await reader.call('PUT', 'certificates/ftps', { type: 'client' }), { status: 200 });
    });

    t.test(`a server of the ${kind} kind that is not trusted gets no login`, async (t) => {
      const server = await start(t, { kind, pair: selfSigned({ name: 'stranger' }) });
      t.match(await install(server), {
        status: 400,
        json: { code: 1, message: /^url: .* is not trusted/ },
      });
      t.equal(server.commands.includes('PASS'), false);
      t.match(await install(server, { verifyPeer: false }), { status: 200 });
    });
  }

  t.test('what goes wrong is named', async (t) => {
    const server = await start(t);
    const guessed = { options: { username: 'me', password: 'guessed' } };
    const refused = await install(server, guessed);
    t.match(refused, { status: 400, json: { message: /^options: .* does not let us in/ } });
    t.notMatch(refused.text, /guessed/);
    t.match(await install(server, {}, 'none.pfx'), {
      status: 400,
      json: { message: /^url: .*No such file/ },
    });
    t.match(await install(server, {}, 'big.pfx'), {
      status: 400,
      json: { message: /^url: the file is above the limit/ },
    });
    t.match(await install(server, {}, 'a%0d%0aDELE%20b'), {
      status: 400,
      json: { message: /^url: has a control character/ },
    });
  });

  t.test('a server that takes the connection and sends nothing is given up', async (t) => {
    const server = await start(t, { stalls: true });
    t.match(await install(server, { timeouts: { read: 0.4 } }), {
      status: 500,
      json: { code: 4, message: /does not answer in time/ },
    });
    t.match(await install(server, { timeoutInSec: 0.8 }), {
      status: 500,
      json: { code: 4, message: /within 0.8 s/ },
    });
  });
});
