/** The certificate that REST serves with. */
import { createSecureContext } from 'node:tls';
import { errorMessage } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import type { Certificates, CertificateTexts } from '../tls/certificates.js';
import type { TlsFiles } from './certificate.js';

/** @returns That of the first start if the installed one cannot be used: REST is there always. */
export async function servingCertificate(
  certificates: Certificates,
  factory: TlsFiles,
  log: Logger,
): Promise<CertificateTexts | TlsFiles> {
  if (certificates.serverInUse() === undefined) return factory;
  try {
    const own = await certificates.own();
    createSecureContext(own);
    return own;
  } catch (error) {
    log.error(
      { name: certificates.serverInUse() },
      `the installed server certificate cannot be used: ${errorMessage(error)}`,
    );
    return factory;
  }
}
