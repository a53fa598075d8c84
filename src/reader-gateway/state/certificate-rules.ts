/** What a connection must keep that shows a certificate. Pure. */
import type { CertificateChoice } from '../tls/certificates.js';

/**
 * A certificate is of no use without its key, and a key without its certificate.
 * @param files Where the two files are named. @param path Of `files`, in messages.
 * @param choice Where an installed certificate is named, which has what is not named.
 */
export function pairProblems(
  files: CertificateChoice = {},
  path: string,
  choice: CertificateChoice = {},
): [path: string, message: string][] {
  if ((choice.installedCertificateName ?? '') !== '') return [];
  const named = (file: string | undefined) => file !== undefined && file !== '';
  const hasCertificate = named(files.publicKeyFileLocation);
  if (hasCertificate === named(files.privateKeyFileLocation)) return [];
  const [missing, given] = hasCertificate
    ? ['privateKeyFileLocation', 'publicKeyFileLocation']
    : ['publicKeyFileLocation', 'privateKeyFileLocation'];
  return [[`${path}.${missing}`, `is required with ${given}`]];
}
