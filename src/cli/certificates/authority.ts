/** A small authority: makes certificates of gRPC servers and clients. RSA, for the oldest of clients. */
import { generateKeyPair } from 'node:crypto';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import forge from 'node-forge';

export interface CertificateAndKey {
  /** PEM. */
  cert: string;
  key: string;
}

export interface Subject {
  commonName: string;
  organizationalUnit?: string;
}

const RSA_BITS = 2048;
/** Of everything: the clock of a reader may be late when it starts. */
const BEFORE_DAYS = 1;
const DAY_MS = 24 * 3600 * 1000;
const CA_DAYS = 3650;
const LEAF_DAYS = 825;
/** What forge calls a DNS name and an address. */
const DNS_NAME = 2;
const ADDRESS = 7;

type Extensions = Parameters<forge.pki.Certificate['setExtensions']>[0];

export class Authority {
  readonly own: CertificateAndKey;
  readonly #subject: Subject;

  private constructor(subject: Subject, own: CertificateAndKey) {
    this.#subject = subject;
    this.own = own;
  }

  static async make(commonName: string): Promise<Authority> {
    const subject = { commonName };
    const keys = await newKeys();
    const extensions: Extensions = [
      { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
      { name: 'subjectKeyIdentifier' },
    ];
    const certificate = blank(subject, keys.publicKey, CA_DAYS, extensions);
    return new Authority(subject, finish(certificate, subject, keys.privateKey, keys.privateKey));
  }

  /** @param hosts DNS names and addresses by which clients call it. */
  server(commonName: string, hosts: readonly string[]): Promise<CertificateAndKey> {
    return this.#sign({ commonName }, [
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: hosts.map((host) =>
          isIP(host) === 0 ? { type: DNS_NAME, value: host } : { type: ADDRESS, ip: host },
        ),
      },
    ]);
  }

  client(subject: Subject): Promise<CertificateAndKey> {
    return this.#sign(subject, [{ name: 'extKeyUsage', clientAuth: true }]);
  }

  async #sign(subject: Subject, purpose: Extensions): Promise<CertificateAndKey> {
    const keys = await newKeys();
    const certificate = blank(subject, keys.publicKey, LEAF_DAYS, [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
      ...purpose,
    ]);
    return finish(certificate, this.#subject, keys.privateKey, this.own.key);
  }
}

interface Keys {
  publicKey: string;
  privateKey: string;
}

function newKeys(): Promise<Keys> {
  return promisify(generateKeyPair)('rsa', {
    modulusLength: RSA_BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}

function blank(
  subject: Subject,
  publicKey: string,
  days: number,
  extensions: Extensions,
): forge.pki.Certificate {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
  // A positive number: the first byte stays below 0x80.
  certificate.serialNumber = `01${forge.util.bytesToHex(forge.random.getBytesSync(15))}`;
  const now = Date.now();
  certificate.validity.notBefore = new Date(now - BEFORE_DAYS * DAY_MS);
  certificate.validity.notAfter = new Date(now + days * DAY_MS);
  certificate.setSubject(attributes(subject));
  certificate.setExtensions(extensions);
  return certificate;
}

function finish(
  certificate: forge.pki.Certificate,
  issuer: Subject,
  key: string,
  issuerKey: string,
): CertificateAndKey {
  certificate.setIssuer(attributes(issuer));
  certificate.sign(forge.pki.privateKeyFromPem(issuerKey), forge.md.sha256.create());
  return { cert: forge.pki.certificateToPem(certificate), key };
}

function attributes({ commonName, organizationalUnit }: Subject) {
  const name = { name: 'commonName', value: commonName };
  if (organizationalUnit === undefined) return [name];
  return [name, { name: 'organizationalUnitName', value: organizationalUnit }];
}
