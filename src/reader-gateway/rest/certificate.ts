/** The reader's own TLS certificate: self-signed, made at the first start, then kept. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { Worker } from 'node:worker_threads';
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

/** In a thread of its own, which takes what it needed for this with it when it ends. */
function makeCertificate(): Promise<TlsFiles> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./certificate-worker.js', import.meta.url), {
      execArgv: [],
    });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('no certificate was made')));
  });
}
