/** RSA keys for the certificates of tests. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** PEM: SPKI and PKCS #8 */
export interface RsaKeys {
  publicKey: string;
  privateKey: string;
}

/** More than any test uses at a time: its keys differ from each other. */
const MOST = 32;
const FOLDER = join(process.cwd(), 'out/test-keys');

let given = 0;

/**
 * Of 2,048 bits, another than the last 31 in this process. Making one takes up to a second of a
 * processor: they are kept from run to run, and each process is given the same ones in turn.
 */
export function rsaKeys(): RsaKeys {
  const path = join(FOLDER, `rsa-${given++ % MOST}.json`);
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return madeAt(path);
  }
}

/** Two processes may do so at a time: each file is whole, and the last one stays. */
function madeAt(path: string): RsaKeys {
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${path}.${process.pid}`, JSON.stringify(keys), { mode: 0o600 });
  renameSync(`${path}.${process.pid}`, path);
  return keys;
}
