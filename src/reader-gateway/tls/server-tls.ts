/** TLS of tcpip-server connections, where the reader is the server. */

import { HANDSHAKE_MS, SERVER_TLS } from '../../shared/server-tls.js';
import type { TcpServerOptions } from '../api/connection.js';
import type { Certificates, CertificateTexts } from './certificates.js';

export type ServerTlsOptions = CertificateTexts &
  typeof SERVER_TLS & {
    handshakeTimeout: number;
    requestCert: boolean;
    rejectUnauthorized: boolean;
  };

/** For createServer of node's TLS. @throws if a file or an installed certificate is missing. */
export async function serverTls(
  { security = {} }: TcpServerOptions,
  certificates: Certificates,
): Promise<ServerTlsOptions> {
  const named = security.installedCertificateName ?? '';
  const own = security.useLocalCerts === true || named === '';
  const choice = { installedCertificateType: 'server' as const, ...security };
  const given = await certificates.load(own ? { ...choice, installedCertificateName: '' } : choice);
  return {
    ...(own ? await certificates.own() : {}),
    ...given,
    requestCert: security.verifyPeer ?? false,
    rejectUnauthorized: security.verifyPeer ?? false,
    ...SERVER_TLS,
    handshakeTimeout: HANDSHAKE_MS,
  };
}
