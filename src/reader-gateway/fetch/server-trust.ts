/** How the reader knows the server that it fetches a file from. */
import { X509Certificate } from 'node:crypto';
import { invalid } from '../../shared/errors.js';
import { readNamedFile } from '../../shared/named-file.js';
import { DEFAULT_CA_FILE } from '../api/fetch.js';
import { NamedFileRefused, type NamedFiles } from '../tls/named-files.js';

/** Of a file with CAs: those of a system are a quarter of it. */
const MAX_BYTES = 1_000_000;

export interface ServerTrustChoice {
  verifyPeer?: boolean | undefined;
  verifyHost?: boolean | undefined;
  CACertificateFileContent?: string | undefined;
  CACertificateFileLocation?: string | undefined;
}

/** As node's TLS takes them. */
export interface ServerTrust {
  ca?: Buffer;
  rejectUnauthorized: boolean;
  checkServerIdentity?: () => undefined;
}

/**
 * The content of a CA wins over its location.
 * @param files That a location may name.
 * @param otherwise CA where the request names none; left out: the reader's file of them, if it is
 * there, else those of the system.
 * @throws INVALID if a CA is named that is none.
 */
export async function serverTrust(
  {
    verifyPeer = true,
    verifyHost = true,
    CACertificateFileContent: content = '',
    CACertificateFileLocation: location = '',
  }: ServerTrustChoice,
  files: NamedFiles,
  otherwise?: Buffer,
): Promise<ServerTrust> {
  const ca =
    content !== ''
      ? checked('CACertificateFileContent', Buffer.from(content))
      : location !== ''
        ? checked('CACertificateFileLocation', await readNamed(location, files))
        : (otherwise ?? (await readNamedFile(DEFAULT_CA_FILE, MAX_BYTES).catch(() => undefined)));
  return {
    ...(ca === undefined ? {} : { ca }),
    rejectUnauthorized: verifyPeer,
    ...(verifyHost ? {} : { checkServerIdentity: () => undefined }),
  };
}

async function readNamed(path: string, files: NamedFiles): Promise<Buffer | undefined> {
  try {
    return await files.read(path, MAX_BYTES);
  } catch (error) {
    // The default may be spelled out by a client, and need not be there either.
    if (path === DEFAULT_CA_FILE) return undefined;
    if (!(error instanceof NamedFileRefused)) throw error;
    throw invalid([{ field: 'CACertificateFileLocation', message: error.message }]);
  }
}

function checked(field: string, pem: Buffer | undefined): Buffer | undefined {
  try {
    if (pem !== undefined) new X509Certificate(pem);
    return pem;
  } catch {
    throw invalid([{ field, message: 'is not a certificate in PEM' }]);
  }
}
