/** Connections that name an installed certificate. */
import type { Connection } from '../api/connection.js';
import type { CertificateId } from '../tls/certificate-names.js';
import type { CertificateChoice, Certificates } from '../tls/certificates.js';
import type { ConfigStore } from './config-store.js';
import { ENDPOINT_PATHS } from './endpoint-paths.js';

/** What a connection says of its certificates; a tcpip-server shows one of type server. */
export function choiceOf({ type, options }: Connection): CertificateChoice {
  // A WEBSOCKET connection may have no options.
  const { security = {} } = (options ?? {}) as { security?: CertificateChoice };
  const usual = type === 'tcpip-server' ? 'server' : 'client';
  return { ...security, installedCertificateType: security.installedCertificateType ?? usual };
}

/** Changes when the installed certificate of a connection does. '' without one. */
export function certificateVersion(connection: Connection, certificates: Certificates): string {
  if (connection.type !== 'tcpip-server') return certificates.version(choiceOf(connection));
  const { enableSecurity = false, security } = connection.options;
  if (!enableSecurity) return '';
  const choice = choiceOf(connection);
  const named = security?.useLocalCerts === true ? {} : choice;
  return certificates.version(named, true);
}

/** @returns Their names, each once. */
export function connectionsThatName(config: ConfigStore, { type, name }: CertificateId): string[] {
  const names = ENDPOINT_PATHS.flatMap((path) => config.connections(path))
    .filter((connection) => {
      const choice = choiceOf(connection);
      return choice.installedCertificateName === name && choice.installedCertificateType === type;
    })
    .map((connection) => `"${connection.name ?? connection.type}"`);
  return [...new Set(names)];
}
