/** The thread that makes the reader's own TLS certificate. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { hostname } from 'node:os';
import { parentPort } from 'node:worker_threads';
import forge from 'node-forge';
import type { TlsFiles } from './certificate.js';

/** Its types leave one out. */
type Pki = typeof forge.pki & {
  getTBSCertificate(certificate: forge.pki.Certificate): forge.asn1.Asn1;
};

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
/** Places in the sequence of what is signed (RFC 5280, section 4.1). */
const SIGNATURE_ALGORITHM = 2;
const PUBLIC_KEY = 6;

/** With a key on P-256: a server signs with it in a tenth of the time of RSA. */
function makeCertificate(): TlsFiles {
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const host = hostname();
  const certificate = forge.pki.createCertificate();
  // forge knows RSA alone: the right one comes in its place.
  const one = new forge.jsbn.BigInteger('1');
  certificate.publicKey = forge.pki.setRsaPublicKey(one, one);
  // A positive number: the first byte stays below 0x80.
  certificate.serialNumber = `01${forge.util.bytesToHex(forge.random.getBytesSync(15))}`;
  const now = new Date();
  certificate.validity.notBefore = new Date(now.getTime() - 24 * 3600 * 1000);
  certificate.validity.notAfter = new Date(now);
  certificate.validity.notAfter.setFullYear(now.getFullYear() + 10);
  const name = [{ name: 'commonName', value: host.slice(0, 64) }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, critical: true },
    { name: 'extKeyUsage', serverAuth: true },
    {
      name: 'subjectAltName',
      altNames: [
        { type: 2, value: 'localhost' },
        ...(host === 'localhost' ? [] : [{ type: 2, value: host }]),
        { type: 7, ip: '127.0.0.1' },
        { type: 7, ip: '::1' },
      ],
    },
  ]);
  return { key: privateKey, cert: signed(certificate, publicKey, privateKey) };
}

/** @returns PEM */
function signed(certificate: forge.pki.Certificate, publicKey: Buffer, privateKey: string): string {
  const { asn1, pki, pem } = forge;
  const sequence = (values: forge.asn1.Asn1[]) =>
    asn1.create(asn1.Class.UNIVERSAL, asn1.Type.SEQUENCE, true, values);
  const value = (type: forge.asn1.Type, bytes: string) =>
    asn1.create(asn1.Class.UNIVERSAL, type, false, bytes);
  const algorithm = () =>
    sequence([value(asn1.Type.OID, asn1.oidToDer(ECDSA_WITH_SHA256).getBytes())]);
  certificate.siginfo.algorithmOid = ECDSA_WITH_SHA256;
  const body = (pki as Pki).getTBSCertificate(certificate);
  const parts = body.value as forge.asn1.Asn1[];
  parts[SIGNATURE_ALGORITHM] = algorithm();
  parts[PUBLIC_KEY] = asn1.fromDer(publicKey.toString('binary'));
  const bytes = Buffer.from(asn1.toDer(body).getBytes(), 'binary');
  const signature = sign('sha256', bytes, privateKey).toString('binary');
  // No bits of the last byte are unused.
  const whole = sequence([body, algorithm(), value(asn1.Type.BITSTRING, `\0${signature}`)]);
  const der = asn1.toDer(whole).getBytes();
  return pem.encode({ type: 'CERTIFICATE', body: der }).replaceAll('\r\n', '\n');
}

parentPort?.postMessage(makeCertificate());
