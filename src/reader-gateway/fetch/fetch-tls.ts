/** TLS of a fetch. */
import { createSecureContext } from 'node:tls';
import { errorMessage } from '../../shared/errors.js';
import type { Certificates } from '../tls/certificates.js';
import { type ClientTlsOptions, clientTlsOptions } from '../tls/client-tls.js';
import { FetchProblem, type FetchTls } from './fetch-source.js';

/** Contents win over files, and files over installed certificates. */
export async function fetchTls(
  tls: FetchTls,
  certificates: Certificates,
): Promise<ClientTlsOptions> {
  let options: ClientTlsOptions;
  try {
    const { verifyPeer, verifyHost } = tls;
    options = await clientTlsOptions({ certificates: tls, verifyPeer, verifyHost }, certificates);
  } catch (error) {
    throw new FetchProblem(fieldOf(error, tls), errorMessage(error));
  }
  const ca = bytes(tls.CACertificateFileContent);
  const cert = bytes(tls.publicKeyFileContent);
  const key = bytes(tls.privateKeyFileContent);
  const all = {
    ...options,
    ...(ca ? { ca } : {}),
    ...(cert ? { cert } : {}),
    ...(key ? { key } : {}),
  };
  try {
    createSecureContext(all);
  } catch (error) {
    throw new FetchProblem(
      '',
      `the certificates for the server cannot be used: ${errorMessage(error)}`,
    );
  }
  return all;
}

function bytes(text: string | undefined): Buffer | undefined {
  return text === undefined || text === '' ? undefined : Buffer.from(text);
}

/** The field whose file could not be read, or else the name of the installed certificate. */
function fieldOf(error: unknown, tls: FetchTls): string {
  const { path } = error as NodeJS.ErrnoException;
  const found = Object.entries(tls).find(([, value]) => path !== undefined && value === path);
  return found?.[0] ?? 'installedCertificateName';
}
