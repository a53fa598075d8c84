/** What a certificate is made of, out of PEM texts or a PFX, and whether it fits together. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { errorMessage, invalid } from '../../shared/errors.js';
import type { CertificateType } from '../tls/certificate-names.js';
import { openPfx } from './pfx.js';

/** As the files are called: ca.pem, cert.pem, key.pem. */
export interface Material {
  ca?: string | undefined;
  cert?: string | undefined;
  key?: string | undefined;
}

/** Certificates and keys as they came, and the fields that messages name. */
export interface Parts {
  certificates: X509Certificate[];
  /** Whom to trust, if that was given apart. */
  authorities: X509Certificate[];
  key: KeyObject | undefined;
  field: string;
}

const MAX_CERTIFICATES = 1000;

/** A PFX, or PEM with certificates and perhaps a key: as files come. */
export async function readBundle(
  bytes: Uint8Array,
  password: string | undefined,
  field: string,
): Promise<Parts> {
  const text = Buffer.from(bytes).toString('latin1');
  if (text.includes('-----BEGIN ')) {
    return {
      certificates: readCertificates(text, field, 'optional'),
      authorities: [],
      key: readKey(text, password, field, 'optional'),
      field,
    };
  }
  const { certificates, keys } = await openPfx(bytes, password, field);
  if (certificates.length === 0) throw problem(field, 'the PFX has no certificate');
  if (keys.length > 1) throw problem(field, `the PFX has ${keys.length} keys; one is allowed`);
  return {
    certificates: certificates.map((pem) => parseCertificate(pem, field)),
    authorities: [],
    key: keys[0] === undefined ? undefined : parseKey(keys[0], undefined, field),
    field,
  };
}

export function readCertificates(
  text: string,
  field: string,
  necessity: 'required' | 'optional' = 'required',
): X509Certificate[] {
  const blocks = blocksOf(text, (type) => /^(X509 |TRUSTED )?CERTIFICATE$/.test(type));
  if (blocks.length > MAX_CERTIFICATES) {
    throw problem(field, `has ${blocks.length} certificates; ${MAX_CERTIFICATES} are allowed`);
  }
  if (blocks.length === 0 && necessity === 'required') {
    throw problem(field, 'has no certificate in PEM form');
  }
  return blocks.map((pem) => parseCertificate(pem, field));
}

export function readKey(
  text: string,
  password: string | undefined,
  field: string,
  necessity: 'required' | 'optional' = 'required',
): KeyObject | undefined {
  const blocks = blocksOf(text, (type) => type.endsWith('PRIVATE KEY'));
  if (blocks.length > 1) throw problem(field, `has ${blocks.length} keys; one is allowed`);
  if (blocks[0] !== undefined) return parseKey(blocks[0], password, field);
  if (necessity === 'required') throw problem(field, 'has no private key in PEM form');
  return undefined;
}

/**
 * Sorts parts into what is written.
 * @param otherKeys Keys of the reader that may belong to a certificate without one.
 * @throws INVALID
 */
export function assemble(
  parts: Parts,
  type: CertificateType,
  otherKeys: readonly KeyObject[],
): Material {
  const { certificates, authorities, field } = parts;
  const trusted = authorities.length > 0 ? pemOf(checkedList(authorities, field)) : undefined;
  if (certificates.length === 0) {
    if (parts.key !== undefined) throw problem(field, 'there is a key without its certificate');
    if (trusted === undefined) throw problem(field, 'there is no certificate');
    return authoritiesOnly(trusted, type, field);
  }
  const key =
    parts.key ?? otherKeys.find((one) => certificates.some((c) => c.checkPrivateKey(one)));
  if (key === undefined) {
    if (certificates.every(({ ca }) => ca) && trusted === undefined) {
      return authoritiesOnly(pemOf(checkedList(certificates, field)), type, field);
    }
    throw problem(
      field,
      'the private key of the certificate is missing, and no request of this name made one',
    );
  }
  const own = certificates.find((one) => one.checkPrivateKey(key));
  if (own === undefined) throw problem(field, 'the private key does not belong to the certificate');
  checkDates(own, field);
  const others = certificates.filter((one) => one !== own && one.ca);
  const roots = others.filter(isRoot);
  const material = {
    // Intermediates alone would make a list of trusted ones that ends nowhere.
    ca: trusted ?? (roots.length > 0 ? pemOf(others) : undefined),
    cert: pemOf([
      own,
      ...chainOf(
        own,
        others.filter((one) => !isRoot(one)),
      ),
    ]),
    key: String(key.export({ type: 'pkcs8', format: 'pem' })),
  };
  try {
    createSecureContext(definedOf(material));
  } catch (error) {
    throw problem(field, `TLS does not take the certificate: ${errorMessage(error)}`);
  }
  return material;
}

function authoritiesOnly(ca: string, type: CertificateType, field: string): Material {
  if (type === 'server') {
    throw problem(field, 'a server certificate needs a certificate with its private key');
  }
  return { ca };
}

/** Lists are long, and have members that have expired; only all of them are no use. */
function checkedList(list: X509Certificate[], field: string): X509Certificate[] {
  const first = list[0];
  if (first !== undefined && !list.some((one) => new Date(one.validTo).getTime() > Date.now())) {
    checkDates(first, field);
  }
  return list;
}

// Not yet valid is let in: the clock of a reader may be behind until it hears of the time.
function checkDates({ validTo }: X509Certificate, field: string): void {
  const end = new Date(validTo);
  if (end.getTime() > Date.now()) return;
  throw problem(field, `the certificate expired on ${end.toISOString().slice(0, 10)}`);
}

function isRoot(one: X509Certificate): boolean {
  return one.checkIssued(one);
}

/** In the order in which TLS sends them. */
function chainOf(own: X509Certificate, others: readonly X509Certificate[]): X509Certificate[] {
  const chain: X509Certificate[] = [];
  let last: X509Certificate | undefined = own;
  while (last !== undefined) {
    const child: X509Certificate = last;
    last = others.find((one) => !chain.includes(one) && child.checkIssued(one));
    if (last !== undefined) chain.push(last);
  }
  return chain;
}

function pemOf(list: readonly X509Certificate[]): string {
  return list.map((one) => one.toString()).join('');
}

function definedOf({ ca, cert, key }: Material) {
  return { ...(ca ? { ca } : {}), ...(cert ? { cert } : {}), ...(key ? { key } : {}) };
}

/** The certificates of a text, each for itself. */
export function splitPem(text: string): string[] {
  return blocksOf(text, (type) => type === 'CERTIFICATE');
}

/** Line by line: a file of anything takes no longer than its length. */
function blocksOf(text: string, wanted: (type: string) => boolean): string[] {
  const blocks: string[] = [];
  let block: string[] | undefined;
  for (const line of text.split(/\r?\n/)) {
    const begin = /^\s*-----BEGIN ([A-Z0-9 ]{1,40})-----\s*$/.exec(line);
    if (begin !== null) block = wanted(begin[1] ?? '') ? [] : undefined;
    block?.push(line.trim());
    if (block !== undefined && /^\s*-----END /.test(line)) {
      blocks.push(`${block.join('\n')}\n`);
      block = undefined;
    }
  }
  return blocks;
}

function parseCertificate(pem: string, field: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw problem(field, `has a certificate that cannot be read: ${errorMessage(error)}`);
  }
}

function parseKey(pem: string, password: string | undefined, field: string): KeyObject {
  try {
    return createPrivateKey({ key: pem, ...(password ? { passphrase: password } : {}) });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ERR_MISSING_PASSPHRASE') {
      throw problem('pfxPassword', 'is required: the private key is encrypted');
    }
    if (/BAD_DECRYPT|BAD_PASSWORD/.test(code) || (password && /ENCRYPTED/.test(pem))) {
      throw problem('pfxPassword', 'is not the password of the private key');
    }
    throw problem(field, 'has a private key that cannot be read');
  }
}

function problem(field: string, message: string) {
  return invalid([{ field, message }]);
}
