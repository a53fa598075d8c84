/**
 * State folders of readers that were started before: with a login and a certificate. A first start spends most of
 * a second of the processor on these two, which only tests of first starts need.
 */
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureLogin } from '../../src/reader-gateway/auth/login-store.js';
import { hashPassword } from '../../src/reader-gateway/auth/password.js';
import { ensureCertificate } from '../../src/reader-gateway/rest/certificate.js';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';

/** Made once, by whichever process is the first; gone with the next compilation. */
const PREPARED = join(PACKAGE_ROOT, 'dist/test/prepared');
const COST_LOG2 = 1;

/** Gives the folder, which may be empty or in use, this password and a certificate, if it has none. */
export async function prepareState(stateDir: string, password: string): Promise<void> {
  if (!existsSync(join(stateDir, 'tls/cert.pem'))) await copyCertificate(stateDir);
  if (existsSync(join(stateDir, 'auth.json'))) {
    await ensureLogin(stateDir, password);
    return;
  }
  const hash = await hashPassword(password, COST_LOG2);
  const secret = randomBytes(32).toString('base64');
  const state = { formatVersion: 1, ...hash, secret };
  writeFileSync(join(stateDir, 'auth.json'), JSON.stringify(state), { mode: 0o600 });
}

async function copyCertificate(stateDir: string): Promise<void> {
  await prepareCertificate();
  cpSync(join(PREPARED, 'tls'), join(stateDir, 'tls'), { recursive: true });
}

/** Makes the certificate of all, if nobody has: for tests that may not write there later. */
export async function prepareCertificate(): Promise<void> {
  if (existsSync(PREPARED)) return;
  const folder = mkdtempSync(`${PREPARED}-`);
  await ensureCertificate(folder);
  try {
    renameSync(folder, PREPARED);
  } catch (error) {
    // Another process was faster.
    rmSync(folder, { recursive: true });
    if (!existsSync(PREPARED)) throw error;
  }
}
