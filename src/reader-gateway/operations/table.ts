/** All operations of the interface that this version has. */
import { createCertificateRequest } from './create-certificate-request.js';
import { deleteCertificate } from './delete-certificate.js';
import { explainMode } from './explain-mode.js';
import { getCapabilities } from './get-capabilities.js';
import { getCertificates } from './get-certificates.js';
import { getConfig } from './get-config.js';
import { getMode } from './get-mode.js';
import { getStatus } from './get-status.js';
import { getVersion } from './get-version.js';
import { installCertificate } from './install-certificate.js';
import type { Operation } from './operation.js';
import { refreshCertificate } from './refresh-certificate.js';
import { setConfig } from './set-config.js';
import { setMode } from './set-mode.js';
import { start } from './start.js';
import { stop } from './stop.js';
import { testConnection } from './test-connection.js';

export const OPERATIONS: readonly Operation[] = [
  getMode,
  setMode,
  explainMode,
  start,
  stop,
  getVersion,
  getStatus,
  getCapabilities,
  getConfig,
  setConfig,
  testConnection,
  getCertificates,
  refreshCertificate,
  installCertificate,
  deleteCertificate,
  createCertificateRequest,
];
