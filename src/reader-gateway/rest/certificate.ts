/** The reader's own TLS certificate: self-signed, made at the first start, then kept. */
import { generateKeyPair } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { promisify } from 'node:util';
import { writeFileAtomic } from '../../shared/atomic-file.js';
import { configError, errorMessage } from '../../shared/errors.js';

export interface TlsFiles {
  key: string;
  cert: string;
}

/** @throws CONFIG if the files are there but do not fit. */
export async function ensureCertificate(stateDir: string): Promise<TlsFiles> {
  const keyPath = join(stateDir, 'tls', 'key.pem');
  const certPath = join(stateDir, 'tls', 'cert.pem');
  const stored = await readBoth(keyPath, certPath);
  if (stored !== undefined) {
    try {
      createSecureContext(stored);
    } catch (error) {
      const reason = errorMessage(error);
      throw configError(`${certPath} and ${keyPath} cannot be used: ${reason} (remove both)`);
    }
    return stored;
  }
  const made = await makeCertificate();
  // The key first: a certificate on the disk means that its key is there as well.
  await writeFileAtomic(keyPath, made.key);
  await writeFileAtomic(certPath, made.cert, 0o644);
  return made;
}

async function readBoth(keyPath: string, certPath: string): Promise<TlsFiles | undefined> {
  try {
    const [key, cert] = await Promise.all([readFile(keyPath, 'utf8'), readFile(certPath, 'utf8')]);
    return { key, cert };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw configError(`the TLS files cannot be read: ${errorMessage(error)}`);
  }
}

async function makeCertificate(): Promise<TlsFiles> {
  const [{ default: forge }, pair] = await Promise.all([
    import('node-forge'),
    promisify(generateKeyPair)('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    }),
  ]);
  const { publicKey, privateKey } = pair as { publicKey: string; privateKey: string };
  const host = hostname();
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
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
    { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
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
  certificate.sign(forge.pki.privateKeyFromPem(privateKey), forge.md.sha256.create());
  return { key: privateKey, cert: forge.pki.certificateToPem(certificate) };
}
