/** Certificates for tests: an authority, and what it signs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import forge from 'node-forge';
import { rsaKeys } from './rsa-keys.js';

export interface CertificateAndKey {
  cert: string;
  key: string;
}

export interface Wanted {
  name: string;
  /** Organizational units of the subject; default: none. */
  units?: readonly string[];
  /** DNS names and addresses; default: 127.0.0.1 and localhost. */
  hosts?: readonly string[];
  /** Its validity ended yesterday. */
  expired?: boolean;
  /** Its validity begins tomorrow. */
  notYet?: boolean;
  /** How long it is valid; default: one day. */
  days?: number;
}

const DAY_MS = 24 * 3600 * 1000;
let serial = 1;

/** Signs certificates; `cert` is what others must trust. */
export class Authority implements CertificateAndKey {
  readonly cert: string;
  readonly key: string;
  readonly #name: string;

  /** @param parent Signs it; without one it is a root. */
  constructor(name = 'Test CA', parent?: Authority) {
    this.#name = name;
    const { certificate, keys } = fresh({ name });
    certificate.setIssuer([
      { name: 'commonName', value: parent === undefined ? name : parent.#name },
    ]);
    certificate.setExtensions([
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ]);
    this.key = keys.privateKey;
    this.cert = sign(certificate, parent?.key ?? this.key);
  }

  intermediate(name: string): Authority {
    return new Authority(name, this);
  }

  /** Signs a request (PKCS#10) for an RSA key; @throws if it was not signed with that key. */
  signRequest(csr: string): string {
    const request = forge.pki.certificationRequestFromPem(csr, true);
    if (!request.verify()) throw new Error('the request is not signed with its own key');
    const { certificate } = fresh({ name: 'not used' });
    if (request.publicKey === null) throw new Error('the request has no key');
    certificate.publicKey = request.publicKey;
    certificate.setSubject(request.subject.attributes.map(decoded));
    certificate.setIssuer([{ name: 'commonName', value: this.#name }]);
    const extensions = request.getAttribute({ name: 'extensionRequest' })?.extensions ?? [];
    certificate.setExtensions(extensions);
    return sign(certificate, this.key);
  }

  issue(wanted: Wanted): CertificateAndKey {
    const { certificate, keys } = fresh(wanted);
    certificate.setIssuer([{ name: 'commonName', value: this.#name }]);
    certificate.setExtensions(leafExtensions(wanted));
    return { cert: sign(certificate, this.key), key: keys.privateKey };
  }
}

export function selfSigned(wanted: Wanted): CertificateAndKey {
  const { certificate, keys } = fresh(wanted);
  certificate.setIssuer([{ name: 'commonName', value: wanted.name }]);
  certificate.setExtensions(leafExtensions(wanted));
  return { cert: sign(certificate, keys.privateKey), key: keys.privateKey };
}

/** A PFX file of a pair, and what else it shall have. */
export function pfxOf(
  pair: Partial<CertificateAndKey>,
  password: string | null,
  others: readonly string[] = [],
  options: { algorithm?: '3des' | 'aes256'; count?: number } = {},
): Buffer {
  const texts = [...(pair.cert === undefined ? [] : [pair.cert]), ...others];
  const key = pair.key === undefined ? null : forge.pki.privateKeyFromPem(pair.key);
  const asn1 = forge.pkcs12.toPkcs12Asn1(
    key as forge.pki.rsa.PrivateKey | null,
    texts.map((pem) => forge.pki.certificateFromPem(pem)),
    password,
    { algorithm: 'aes256', ...options },
  );
  return Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'binary');
}

/** @returns The paths of the files. */
export function writePem(folder: string, name: string, { cert, key }: CertificateAndKey) {
  const paths = { cert: join(folder, `${name}.cert.pem`), key: join(folder, `${name}.key.pem`) };
  writeFileSync(paths.cert, cert);
  writeFileSync(paths.key, key);
  return paths;
}

/** forge encodes texts again that it has not decoded. */
function decoded(field: forge.pki.CertificateField): forge.pki.CertificateField {
  const isUtf8 = (field.valueTagClass as unknown) === forge.asn1.Type.UTF8;
  return isUtf8 ? { ...field, value: forge.util.decodeUtf8(String(field.value)) } : field;
}

function fresh({ name, units = [], expired = false, notYet = false, days = 1 }: Wanted) {
  const keys = rsaKeys();
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(keys.publicKey);
  certificate.serialNumber = String(10 + serial++);
  const end = Date.now() + (expired ? -DAY_MS : days * DAY_MS);
  certificate.validity.notBefore = new Date(notYet ? Date.now() + DAY_MS : end - 10 * DAY_MS);
  certificate.validity.notAfter = new Date(end);
  const subject = units.map((value) => ({ name: 'organizationalUnitName', value }));
  certificate.setSubject([...subject, { name: 'commonName', value: name }]);
  return { certificate, keys };
}

function leafExtensions({ hosts = ['127.0.0.1', 'localhost'] }: Wanted) {
  return [
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
    { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
    {
      name: 'subjectAltName',
      altNames: hosts.map((host) =>
        /^[\d.]+$|:/.test(host) ? { type: 7, ip: host } : { type: 2, value: host },
      ),
    },
  ];
}

function sign(certificate: forge.pki.Certificate, key: string): string {
  certificate.sign(forge.pki.privateKeyFromPem(key), forge.md.sha256.create());
  return forge.pki.certificateToPem(certificate);
}
