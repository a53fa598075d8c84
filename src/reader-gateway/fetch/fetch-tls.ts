/** TLS of a fetch: who the server must be, and who we are. */
import { createSecureContext } from 'node:tls';
import { errorMessage, invalid } from '../../shared/errors.js';
import type { Certificates, CertificateTexts } from '../tls/certificates.js';
import type { ClientTlsOptions } from '../tls/client-tls.js';
import { NamedFileRefused } from '../tls/named-files.js';
import type { FetchTls } from './fetch-source.js';
import { serverTrust } from './server-trust.js';

/** Contents win over files, and files over installed certificates. @throws INVALID */
export async function fetchTls(
  tls: FetchTls,
  certificates: Certificates,
): Promise<ClientTlsOptions> {
  const { CACertificateFileLocation: _location, ...identity } = tls;
  let own: CertificateTexts;
  try {
    own = await certificates.load(identity);
  } catch (error) {
    throw invalid([problemOf(error, tls)]);
  }
  const cert = bytes(tls.publicKeyFileContent);
  const key = bytes(tls.privateKeyFileContent);
  const all = {
    ...own,
    ...(await serverTrust(tls, certificates.files, own.ca)),
    ...(cert ? { cert } : {}),
    ...(key ? { key } : {}),
  };
  try {
    createSecureContext(all);
  } catch (error) {
    const message = `the certificates for the server cannot be used: ${errorMessage(error)}`;
    throw invalid([{ field: '', message }]);
  }
  return all;
}

function bytes(text: string | undefined): Buffer | undefined {
  return text === undefined || text === '' ? undefined : Buffer.from(text);
}

/** The field whose file could not be read, or else the name of the installed certificate. */
function problemOf(error: unknown, tls: FetchTls): { field: string; message: string } {
  const path = error instanceof NamedFileRefused ? error.path : undefined;
  const found = Object.entries(tls).find(([, value]) => path !== undefined && value === path);
  return { field: found?.[0] ?? 'installedCertificateName', message: errorMessage(error) };
}
