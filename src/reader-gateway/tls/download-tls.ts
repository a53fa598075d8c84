/** TLS of files that the reader fetches from a server. */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { errorMessage, invalid } from '../../shared/errors.js';
import { readNamedFile } from '../../shared/named-file.js';
import { DEFAULT_CA_FILE } from '../api/fetch.js';

/** Of a file with CAs: those of a system are a quarter of it. */
const MAX_BYTES = 1_000_000;

export interface DownloadTlsChoice {
  verifyPeer?: boolean | undefined;
  verifyHost?: boolean | undefined;
  CACertificateFileContent?: string | undefined;
  CACertificateFileLocation?: string | undefined;
}

/** As node's TLS takes them. */
export interface DownloadTls {
  ca?: string;
  rejectUnauthorized: boolean;
  checkServerIdentity?: () => undefined;
}

/** @throws INVALID if a CA is named that is none. */
export async function downloadTls({
  verifyPeer = true,
  verifyHost = true,
  CACertificateFileContent: content = '',
  CACertificateFileLocation: location = '',
}: DownloadTlsChoice): Promise<DownloadTls> {
  const ca =
    content !== ''
      ? checked('CACertificateFileContent', content)
      : location !== ''
        ? checked('CACertificateFileLocation', await readNamed(location))
        : await readFile(DEFAULT_CA_FILE, 'utf8').catch(() => undefined);
  return {
    ...(ca === undefined ? {} : { ca }),
    rejectUnauthorized: verifyPeer,
    ...(verifyHost ? {} : { checkServerIdentity: () => undefined }),
  };
}

async function readNamed(path: string): Promise<string | undefined> {
  try {
    return (await readNamedFile(path, MAX_BYTES)).toString('utf8');
  } catch (error) {
    // The default may be spelled out by a client, and need not be there either.
    if (path === DEFAULT_CA_FILE) return undefined;
    const { code } = error as NodeJS.ErrnoException;
    const message = `cannot be read: ${code ?? errorMessage(error)}`;
    throw invalid([{ field: 'CACertificateFileLocation', message }]);
  }
}

function checked(field: string, pem: string | undefined): string | undefined {
  try {
    if (pem !== undefined) new X509Certificate(pem);
    return pem;
  } catch {
    throw invalid([{ field, message: 'is not a certificate in PEM' }]);
  }
}
