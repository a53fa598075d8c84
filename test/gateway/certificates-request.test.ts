/** Keys that are made on the reader, and the requests to sign for them. */
import { createPublicKey, verify, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import forge from 'node-forge';
import t from 'tap';
import { Authority } from './certificates.js';
import { TestReader } from './reader.js';

t.test('one reader and requests', async (t) => {
  const reader = await TestReader.start(t);
  t.teardown(() => reader.gateway.stop());
  const authority = new Authority();
  const ask = (name: string, body: object) =>
    reader.call('POST', `certificates/${name}/csr`, { type: 'client', ...body });
  const installSigned = (name: string, cert: string) =>
    reader.call('PUT', `certificates/${name}`, { type: 'client', publicKeyFileContent: cert });
  const folder = (name: string) => join(reader.stateDir, 'certificates', 'client', name);

  t.test('the certificate that was signed for it finds its key', async (t) => {
    const subject = { commonName: 'dock 7', organization: 'Übersee', country: 'DE' };
    const hosts = ['dock7.example', '192.168.1.7', 'fe80::1'];
    const { json, text } = await ask('dock', { subject, hosts });
    t.match(json.csr, /^-----BEGIN CERTIFICATE REQUEST-----\n/);
    t.notMatch(text, /PRIVATE/);
    t.equal(statSync(join(folder('~csr-dock'), 'key.pem')).mode & 0o777, 0o600);
    t.same((await reader.call('GET', 'certificates')).json.length, 1, 'it is no certificate yet');

    const cert = authority.signRequest(json.csr);
    t.match(await installSigned('dock', cert), { status: 200 });
    const installed = new X509Certificate(readFileSync(join(folder('dock'), 'cert.pem')));
    t.equal(installed.subject, 'C=DE\nO=Übersee\nCN=dock 7');
    t.equal(
      installed.subjectAltName,
      'DNS:dock7.example, IP Address:192.168.1.7, IP Address:FE80:0:0:0:0:0:0:1',
    );
    t.throws(() => statSync(folder('~csr-dock')), 'the request is done');

    t.match(await installSigned('dock', authority.signRequest(json.csr)), { status: 200 });
    t.pass('a certificate for the same key replaces it');
  });

  t.test('the certificate in use stays until the new one is there', async (t) => {
    const before = readFileSync(join(folder('dock'), 'cert.pem'), 'utf8');
    const { json } = await ask('dock', {});
    t.equal(readFileSync(join(folder('dock'), 'cert.pem'), 'utf8'), before);
    t.match(await installSigned('dock', authority.signRequest(json.csr)), { status: 200 });
    t.not(readFileSync(join(folder('dock'), 'cert.pem'), 'utf8'), before);
  });

  t.test('a certificate for another key is refused', async (t) => {
    await ask('other', {});
    t.match(await installSigned('other', authority.issue({ name: 'a stranger' }).cert), {
      status: 400,
      json: { code: 1, message: /^publicKeyFileContent: the private key .* is missing/ },
    });
  });

  for (const [keyType, hash] of [
    ['EC-P256', 'sha256'],
    ['EC-P384', 'sha384'],
  ]) {
    t.test(`a request for a key of type ${keyType} is signed with it`, async (t) => {
      const { json } = await ask('curve', { keyType, subject: { commonName: 'curve' } });
      const request = forge.asn1.fromDer(forge.pem.decode(json.csr)[0]?.body ?? '');
      const [body, , signature] = request.value as forge.asn1.Asn1[];
      const spki = ((body?.value ?? []) as forge.asn1.Asn1[])[2];
      if (body === undefined || spki === undefined) throw new Error('no request');
      const bytes = (asn1: forge.asn1.Asn1) =>
        Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'binary');
      const key = createPublicKey({ key: bytes(spki), format: 'der', type: 'spki' });
      const value = signature as unknown as { bitStringContents?: string; value: unknown };
      const signed = Buffer.from(String(value.bitStringContents ?? value.value), 'binary');
      t.equal(verify(hash, bytes(body), key, signed.subarray(1)), true);
    });
  }

  t.test('what is wrong is named', async (t) => {
    const cases: [object, string][] = [
      [{ hosts: ['a b'] }, 'hosts[0]: "a b" is not a DNS name or an address'],
      [
        { subject: { country: 'Germany' } },
        'subject.country: "Germany" is not two capital letters',
      ],
      [
        { keyType: 'DSA' },
        'keyType: "DSA" is not one of RSA-2048, RSA-3072, RSA-4096, EC-P256, EC-P384',
      ],
      [{ type: 'wifi' }, 'type: "wifi" is not one of server, client, app'],
    ];
    for (const [body, message] of cases) {
      t.match(await ask('bad', body), { status: 400, json: { code: 1, message } });
    }
  });
});
