/** Names and types of installed certificates, and the folders they live in. */
import { join } from 'node:path';

export const CERTIFICATE_TYPES = ['server', 'client', 'app'] as const;
export type CertificateType = (typeof CERTIFICATE_TYPES)[number];

export interface CertificateId {
  type: CertificateType;
  name: string;
}

export const NAME_PATTERN = '^(?!\\.+$)[A-Za-z0-9_.-]{1,128}$';
export const NAME_RULE =
  'a certificate name (1 to 128 letters, digits, "_", "." and "-", and not dots alone)';

const NAME = new RegExp(NAME_PATTERN);

/** No path, and never one of the folders that changes leave behind: those have a "~". */
export function isCertificateName(name: string): boolean {
  return NAME.test(name);
}

export function certificatesFolder(stateDir: string): string {
  return join(stateDir, 'certificates');
}

/** @param name Has passed isCertificateName. */
export function certificateFolder(stateDir: string, { type, name }: CertificateId): string {
  return join(certificatesFolder(stateDir), type, name);
}

/** Which server certificate REST serves with: the one that was installed last. */
export function serverInUsePath(stateDir: string): string {
  return join(certificatesFolder(stateDir), 'server-in-use.json');
}

/** How the certificate that the first start made is listed. */
export const FACTORY_NAME = 'factory';
