/** Old versions of TLS, weak ciphers and dear key agreements are refused. */
import t from 'tap';
import { TestReader } from '../gateway/reader.js';
import { CHEAP_GROUPS, DEAR_GROUPS } from './key-agreement.js';
import { RawClient } from './raw.js';

t.test('one reader', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());

  for (const version of ['TLSv1', 'TLSv1.1'] as const) {
    t.test(`refused: ${version}`, async (t) => {
      // Without @SECLEVEL=0 the client itself would not even ask.
      const options = {
        minVersion: version,
        maxVersion: version,
        ciphers: 'DEFAULT@SECLEVEL=0',
      };
      await t.rejects(RawClient.open(t, reader, options), /alert protocol version|ECONNRESET/);
    });
  }

  for (const ciphers of [
    'AES128-SHA',
    'AES256-GCM-SHA384',
    'ECDHE-ECDSA-AES128-SHA',
    'ECDHE-ECDSA-AES256-SHA384',
    'ECDHE-RSA-AES128-SHA',
    'ECDHE-RSA-AES256-SHA384',
    'NULL-SHA256',
  ]) {
    t.test(`refused: ${ciphers}`, async (t) => {
      const options = { maxVersion: 'TLSv1.2' as const, ciphers: `${ciphers}:@SECLEVEL=0` };
      await t.rejects(RawClient.open(t, reader, options), /handshake failure|ECONNRESET/);
    });
  }

  for (const ecdhCurve of DEAR_GROUPS) {
    t.test(`refused: key agreement by ${ecdhCurve}`, async (t) => {
      await t.rejects(RawClient.open(t, reader, { ecdhCurve }), /handshake failure|ECONNRESET/);
    });
  }

  t.test('key agreements that cost little go', async (t) => {
    for (const ecdhCurve of CHEAP_GROUPS) {
      const { socket } = await RawClient.open(t, reader, { ecdhCurve });
      t.equal(socket.getProtocol(), 'TLSv1.3', ecdhCurve);
    }
  });

  t.test('TLS 1.2 and 1.3 go, with ciphers that keep no old secret', async (t) => {
    const old = await RawClient.open(t, reader, { maxVersion: 'TLSv1.2' });
    t.equal(old.socket.getProtocol(), 'TLSv1.2');
    t.match(old.socket.getCipher().name, /^ECDHE-ECDSA-(AES...-GCM|CHACHA20)/);
    const present = await RawClient.open(t, reader);
    t.equal(present.socket.getProtocol(), 'TLSv1.3');
  });

  t.test(
    'the certificate of the reader has a key that costs little, and signed itself',
    async (t) => {
      const { socket } = await RawClient.open(t, reader);
      const certificate = socket.getPeerX509Certificate();
      t.equal(certificate?.publicKey.asymmetricKeyDetails?.namedCurve, 'prime256v1');
      t.ok(certificate?.verify(certificate.publicKey));
      t.equal(certificate?.checkHost('localhost'), 'localhost');
      t.equal(certificate?.checkIP('127.0.0.1'), '127.0.0.1');
      const ca = String(certificate);
      const { socket: checked } = await RawClient.open(t, reader, { ca, rejectUnauthorized: true });
      t.ok(checked.authorized, 'who has it can check the reader');
    },
  );

  t.test('a handshake in the middle of a connection is refused', async (t) => {
    const client = await RawClient.open(t, reader, { maxVersion: 'TLSv1.2' });
    const error = await new Promise<unknown>((resolve) => {
      client.socket.on('error', resolve);
      client.socket.on('close', () => resolve('closed'));
      client.socket.renegotiate({ rejectUnauthorized: false }, (problem) => resolve(problem));
    });
    t.ok(error, 'no second handshake');
  });
});
