/** How a client of TLS checks the server and shows who it is: the same for MQTT and HTTP. */
import type { CertificateChoice, Certificates, CertificateTexts } from './certificates.js';

export interface ClientTls {
  certificates: CertificateChoice;
  verifyPeer?: boolean | undefined;
  verifyHost?: boolean | undefined;
}

/** As node's TLS takes them. */
export interface ClientTlsOptions extends CertificateTexts {
  rejectUnauthorized: boolean;
  checkServerIdentity?: () => undefined;
}

/** @throws if a file is missing. */
export async function clientTlsOptions(
  { certificates: choice, verifyPeer = true, verifyHost = true }: ClientTls,
  certificates: Certificates,
): Promise<ClientTlsOptions> {
  return {
    ...(await certificates.load(choice)),
    rejectUnauthorized: verifyPeer,
    ...(verifyHost ? {} : { checkServerIdentity: () => undefined }),
  };
}
