/** testConnection: who the server says it is, and whom it lets in. */

import { mkdir, writeFile } from 'node:fs/promises';
import { createServer as createHttpsServer } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import t, { type Test } from 'tap';
import { Authority, selfSigned, writePem } from './certificates.js';
import { detailOf, listen, mqttTo, postTo, resultsOf, tryOut } from './connection-tests.js';
import { TestBroker, TestReader } from './reader.js';

const FAILED = { dns: 'not needed', tcp: 'ok', tls: 'failed', auth: 'not tried' };
const OK = { dns: 'not needed', tcp: 'ok', tls: 'ok', auth: 'ok' };

t.test('one reader and its servers', async (t) => {
  const authority = new Authority();
  const broker = new TestBroker();
  await broker.start();
  const reader = await TestReader.start(t);
  t.teardown(async () => {
    await reader.gateway.stop();
    await broker.stop();
  });
  const files = (name: string, pair: { cert: string; key: string }) =>
    writePem(reader.stateDir, name, pair);
  const ca = files('ca', authority).cert;
  const good = authority.issue({ name: 'good server' });

  const secureBroker = (t: Test, options: TlsOptions) =>
    listen(
      t,
      createTlsServer(options, (socket) => {
        socket.on('error', () => {});
        broker.handle(socket);
      }).on('tlsClientError', () => {}),
    );
  const secureWeb = (t: Test, options: TlsOptions) =>
    listen(
      t,
      createHttpsServer(options, (_request, response) => response.end()),
    );
  const mqtts = (port: number, security: object = {}) =>
    mqttTo(`ssl://127.0.0.1:${port}`, { security: { CACertificateFileLocation: ca, ...security } });
  const https = (port: number, security: object = {}) =>
    postTo(`https://127.0.0.1:${port}/`, { CACertificateFileLocation: ca, ...security });

  t.test('a certificate that is good is described', async (t) => {
    for (const connection of [
      mqtts(await secureBroker(t, good)),
      https(await secureWeb(t, good)),
    ]) {
      const result = await tryOut(reader, connection);
      t.same(resultsOf(result), OK);
      t.match(
        detailOf(result, 'tls'),
        /^TLSv1\.3, TLS_\w+, certificate of "CN=good server" by "CN=Test CA", valid \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d$/,
      );
    }
  });

  const refused: [string, { cert: string; key: string }, RegExp, object?][] = [
    ['self-signed', selfSigned({ name: 'me' }), /self-signed.*"CN=me" by "CN=me"/],
    ['expired', authority.issue({ name: 'old', expired: true }), /has expired/],
    [
      'for another host',
      authority.issue({ name: 'x', hosts: ['other.example'] }),
      /host name mismatch: .*other\.example.*, not for 127\.0\.0\.1/,
    ],
    ['of an unknown CA', new Authority('Another').issue({ name: 'x' }), /unknown CA.*CN=Another/],
  ];
  for (const [what, certificate, reason] of refused) {
    t.test(`a certificate that is ${what}`, async (t) => {
      const brokerPort = await secureBroker(t, certificate);
      const webPort = await secureWeb(t, certificate);
      for (const connection of [mqtts(brokerPort), https(webPort)]) {
        const result = await tryOut(reader, connection);
        t.same(resultsOf(result), FAILED);
        t.match(detailOf(result, 'tls'), reason);
      }
      for (const connection of [
        mqtts(brokerPort, { verifyPeer: false }),
        https(webPort, { verifyPeer: false }),
      ]) {
        const result = await tryOut(reader, connection);
        t.same(resultsOf(result), OK, 'unless nobody asks');
        t.match(detailOf(result, 'tls'), /verifyPeer is off/);
      }
    });
  }

  t.test('a certificate for another host passes where the host is not verified', async (t) => {
    const other = authority.issue({ name: 'x', hosts: ['other.example'] });
    const brokerPort = await secureBroker(t, other);
    const webPort = await secureWeb(t, other);
    t.same(resultsOf(await tryOut(reader, mqtts(brokerPort, { verifyHostName: false }))), OK);
    t.same(resultsOf(await tryOut(reader, https(webPort, { verifyHost: false }))), OK);
  });

  t.test('TLS spoken to a port that does not', async (t) => {
    const talker = createServer((socket) => {
      socket.on('error', () => {});
      socket.write('HTTP/1.1 400 Bad Request\r\n\r\n');
    });
    const hangsUp = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.destroy());
    });
    for (const port of [await listen(t, talker), await listen(t, hangsUp)]) {
      const result = await tryOut(reader, mqtts(port));
      t.same(resultsOf(result), FAILED);
      t.match(detailOf(result, 'tls'), /does not speak TLS on this port/);
    }
  });

  t.test('a server that wants a client certificate', async (t) => {
    const own = authority.issue({ name: 'reader' });
    const stranger = new Authority('Strangers').issue({ name: 'stranger' });
    const folder = join(reader.stateDir, 'certificates', 'client', 'line');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'ca.pem'), authority.cert);
    await writeFile(join(folder, 'cert.pem'), own.cert);
    await writeFile(join(folder, 'key.pem'), own.key);
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      const options = {
        ...good,
        ca: authority.cert,
        requestCert: true,
        rejectUnauthorized: true,
        maxVersion,
      };
      const brokerPort = await secureBroker(t, options);
      const webPort = await secureWeb(t, options);
      const pem = (pair: { cert: string; key: string }, name: string) => {
        const { cert, key } = files(name, pair);
        return { publicKeyFileLocation: cert, privateKeyFileLocation: key };
      };
      const installed = {
        CACertificateFileLocation: undefined,
        installedCertificateName: 'line',
        installedCertificateType: 'client',
      };
      const client = (options: object) => ({
        authenticationType: 'TLS-Client',
        authenticationOptions: options,
      });
      const cases: [object, string][] = [
        [mqtts(brokerPort), 'wants'],
        [mqtts(brokerPort, pem(stranger, 'stranger')), 'refused'],
        [mqtts(brokerPort, pem(own, 'own')), 'ok'],
        [mqtts(brokerPort, installed), 'ok'],
        [https(webPort), 'wants'],
        [https(webPort, client(pem(stranger, 'stranger'))), 'refused'],
        [https(webPort, client(pem(own, 'own'))), 'ok'],
        [https(webPort, { ...installed, authenticationType: 'TLS-Client' }), 'ok'],
      ];
      for (const [connection, expected] of cases) {
        const result = await tryOut(reader, connection);
        const detail = detailOf(result, 'tls');
        t.same(resultsOf(result), expected === 'ok' ? OK : FAILED, `${maxVersion}: ${detail}`);
        if (expected === 'wants') t.match(detail, /wants a client certificate, and .* has none/);
        if (expected === 'refused') t.match(detail, /refused our client certificate/);
      }
    }
  });
});
