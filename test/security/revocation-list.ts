/** A list of revoked certificates (CRL, RFC 5280), for tests: forge has none. */
import { createSign } from 'node:crypto';
import forge from 'node-forge';
import type { CertificateAndKey } from '../gateway/certificates.js';

const { asn1, pki } = forge;
const { Class, Type } = asn1;
const SHA256_WITH_RSA = '1.2.840.113549.1.1.11';
const DAY_MS = 24 * 3600 * 1000;

function sequence(parts: forge.asn1.Asn1[]): forge.asn1.Asn1 {
  return asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, parts);
}

function primitive(type: forge.asn1.Type, bytes: string): forge.asn1.Asn1 {
  return asn1.create(Class.UNIVERSAL, type, false, bytes);
}

function time(ms: number): forge.asn1.Asn1 {
  // The types say string, the code returns one, and wants a Date.
  return primitive(Type.UTCTIME, asn1.dateToUtcTime(new Date(ms)) as unknown as string);
}

/** @param revoked PEM certificates that the authority signed. */
export function revocationList(authority: CertificateAndKey, revoked: readonly string[]): string {
  const issuer = pki.certificateFromPem(authority.cert);
  const algorithm = () =>
    sequence([
      primitive(Type.OID, asn1.oidToDer(SHA256_WITH_RSA).getBytes()),
      primitive(Type.NULL, ''),
    ]);
  const now = Date.now();
  const entries = revoked.map((pem) => {
    const { serialNumber } = pki.certificateFromPem(pem);
    return sequence([
      primitive(Type.INTEGER, forge.util.hexToBytes(serialNumber)),
      time(now - DAY_MS),
    ]);
  });
  const list = sequence([
    primitive(Type.INTEGER, '\x01'),
    algorithm(),
    pki.distinguishedNameToAsn1(issuer.subject),
    time(now - DAY_MS),
    time(now + DAY_MS),
    ...(entries.length === 0 ? [] : [sequence(entries)]),
  ]);
  const bytes = Buffer.from(asn1.toDer(list).getBytes(), 'binary');
  const signature = createSign('sha256').update(bytes).sign(authority.key);
  const whole = sequence([
    list,
    algorithm(),
    primitive(Type.BITSTRING, `\x00${signature.toString('binary')}`),
  ]);
  const der = Buffer.from(asn1.toDer(whole).getBytes(), 'binary');
  const lines = der.toString('base64').match(/.{1,64}/g) as string[];
  return `-----BEGIN X509 CRL-----\n${lines.join('\n')}\n-----END X509 CRL-----\n`;
}
