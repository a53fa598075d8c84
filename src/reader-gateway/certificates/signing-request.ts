/** Keys that are made here, and the requests (PKCS#10) to sign for them. */
import { createPublicKey, generateKeyPair, type KeyObject, sign } from 'node:crypto';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import type forge from 'node-forge';
import { invalid, type Violation } from '../../shared/errors.js';
import type { CreateCertificateRequest, KEY_TYPES } from '../api/certificates.js';
import { show } from '../api/validate.js';
import type { CertificateType } from '../tls/certificate-names.js';

type KeyType = (typeof KEY_TYPES)[number];
type Asn1 = forge.asn1.Asn1;
/** Its types leave one out. */
type Util = typeof forge.util & { bytesFromIP(address: string): string | null };

/** As they stand in a name, from the country down. */
const SUBJECT_OIDS = [
  ['country', '2.5.4.6'],
  ['state', '2.5.4.8'],
  ['locality', '2.5.4.7'],
  ['organization', '2.5.4.10'],
  ['organizationalUnit', '2.5.4.11'],
  ['commonName', '2.5.4.3'],
] as const;
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
const SUBJECT_ALT_NAME = '2.5.29.17';
const SIGNATURES = {
  RSA: { oid: '1.2.840.113549.1.1.11', hash: 'sha256' },
  'EC-P256': { oid: '1.2.840.10045.4.3.2', hash: 'sha256' },
  'EC-P384': { oid: '1.2.840.10045.4.3.3', hash: 'sha384' },
} as const;
const HOST =
  /^(?=.{1,253}$)(\*\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/i;

export interface RequestAndKey {
  /** PEM */
  csr: string;
  key: string;
}

/** @param hostName Of this machine: for what is not given. @throws INVALID */
export async function makeSigningRequest(
  { keyType = 'RSA-2048', subject = {}, hosts, type }: CreateCertificateRequest,
  hostName: string,
): Promise<RequestAndKey> {
  const commonName = subject.commonName ?? hostName.slice(0, 64);
  const names = hosts ?? defaultHosts(type, commonName);
  checkHosts(names);
  const [{ default: library }, key] = await Promise.all([import('node-forge'), makeKey(keyType)]);
  const encoder = new Encoder(library);
  const body = encoder.body({ ...subject, commonName }, names, key);
  return {
    csr: encoder.signed(body, key, keyType),
    key: String(key.export({ type: 'pkcs8', format: 'pem' })),
  };
}

function defaultHosts(type: CertificateType, commonName: string): string[] {
  return type === 'server' && isHost(commonName) ? [commonName] : [];
}

function checkHosts(hosts: readonly string[]): void {
  const problems = hosts.flatMap((host, index): Violation[] =>
    isHost(host)
      ? []
      : [{ field: `hosts[${index}]`, message: `${show(host)} is not a DNS name or an address` }],
  );
  if (problems.length > 0) throw invalid(problems);
}

function isHost(text: string): boolean {
  return isIP(text) !== 0 || HOST.test(text);
}

async function makeKey(type: KeyType): Promise<KeyObject> {
  const [kind, size = ''] = type.split('-');
  const { privateKey } =
    kind === 'RSA'
      ? await promisify(generateKeyPair)('rsa', { modulusLength: Number(size) })
      : await promisify(generateKeyPair)('ec', { namedCurve: `P-${size.slice(1)}` });
  return privateKey;
}

/** DER, by the hand of forge, which itself signs with RSA alone. */
class Encoder {
  readonly #asn1: typeof forge.asn1;
  readonly #util: Util;
  readonly #pem: typeof forge.pem;

  constructor({ asn1, util, pem }: typeof forge) {
    this.#asn1 = asn1;
    this.#util = util as Util;
    this.#pem = pem;
  }

  body(subject: Record<string, string>, hosts: readonly string[], key: KeyObject): Asn1 {
    const { Type } = this.#asn1;
    const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' });
    return this.#sequence([
      this.#value(Type.INTEGER, '\0'),
      this.#name(subject),
      this.#asn1.fromDer(publicKey.toString('binary')),
      this.#context(0, hosts.length === 0 ? [] : [this.#extensions(hosts)]),
    ]);
  }

  signed(body: Asn1, key: KeyObject, keyType: KeyType): string {
    const { Type } = this.#asn1;
    const isRsa = key.asymmetricKeyType === 'rsa';
    const { oid, hash } = SIGNATURES[isRsa ? 'RSA' : (keyType as 'EC-P256' | 'EC-P384')];
    const bytes = Buffer.from(this.#asn1.toDer(body).getBytes(), 'binary');
    const signature = sign(hash, bytes, key).toString('binary');
    const request = this.#sequence([
      body,
      this.#sequence([this.#oid(oid), ...(isRsa ? [this.#value(Type.NULL, '')] : [])]),
      // No bits of the last byte are unused.
      this.#value(Type.BITSTRING, `\0${signature}`),
    ]);
    const der = this.#asn1.toDer(request).getBytes();
    return this.#pem.encode({ type: 'CERTIFICATE REQUEST', body: der }).replaceAll('\r\n', '\n');
  }

  #name(subject: Record<string, string>): Asn1 {
    const { Type } = this.#asn1;
    return this.#sequence(
      SUBJECT_OIDS.flatMap(([field, oid]) => {
        const text = subject[field];
        if (text === undefined) return [];
        const type = field === 'country' ? Type.PRINTABLESTRING : Type.UTF8;
        const pair = [this.#oid(oid), this.#value(type, this.#util.encodeUtf8(text))];
        return [this.#set([this.#sequence(pair)])];
      }),
    );
  }

  #extensions(hosts: readonly string[]): Asn1 {
    const { Type } = this.#asn1;
    const names = this.#sequence(hosts.map((host) => this.#host(host)));
    const extension = this.#sequence([
      this.#oid(SUBJECT_ALT_NAME),
      this.#value(Type.OCTETSTRING, this.#asn1.toDer(names).getBytes()),
    ]);
    return this.#sequence([this.#oid(EXTENSION_REQUEST), this.#set([this.#sequence([extension])])]);
  }

  #host(host: string): Asn1 {
    const { Class } = this.#asn1;
    const isAddress = isIP(host) !== 0;
    const value = isAddress ? this.#util.bytesFromIP(host) : host;
    return this.#asn1.create(Class.CONTEXT_SPECIFIC, isAddress ? 7 : 2, false, value ?? '');
  }

  #sequence(values: Asn1[]): Asn1 {
    return this.#asn1.create(this.#asn1.Class.UNIVERSAL, this.#asn1.Type.SEQUENCE, true, values);
  }

  #set(values: Asn1[]): Asn1 {
    return this.#asn1.create(this.#asn1.Class.UNIVERSAL, this.#asn1.Type.SET, true, values);
  }

  #context(tag: number, values: Asn1[]): Asn1 {
    return this.#asn1.create(this.#asn1.Class.CONTEXT_SPECIFIC, tag, true, values);
  }

  #oid(oid: string): Asn1 {
    return this.#value(this.#asn1.Type.OID, this.#asn1.oidToDer(oid).getBytes());
  }

  #value(type: forge.asn1.Type, bytes: string): Asn1 {
    return this.#asn1.create(this.#asn1.Class.UNIVERSAL, type, false, bytes);
  }
}
