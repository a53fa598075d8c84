/** All operations of the interface that this version has. */
import { createCertificateRequest } from './create-certificate-request.js';
import { deleteCertificate } from './delete-certificate.js';
import { explainMode } from './explain-mode.js';
import { exportConfig } from './export-config.js';
import { getAppLed } from './get-app-led.js';
import { getCableLoss } from './get-cable-loss.js';
import { getCapabilities } from './get-capabilities.js';
import { getCertificates } from './get-certificates.js';
import { getConfig } from './get-config.js';
import { getGpiStatus } from './get-gpi-status.js';
import { getGpioLed } from './get-gpio-led.js';
import { getGpoStatus } from './get-gpo-status.js';
import { getLog } from './get-log.js';
import { getLogConfig } from './get-log-config.js';
import { getManagementEventConfig } from './get-management-event-config.js';
import { getMode } from './get-mode.js';
import { getNameAndDescription } from './get-name-and-description.js';
import { getNetwork } from './get-network.js';
import { getNtpServer } from './get-ntp-server.js';
import { getRegion } from './get-region.js';
import { getStatus } from './get-status.js';
import { getSupportedCountries } from './get-supported-countries.js';
import { getSupportedRegions } from './get-supported-regions.js';
import { getSupportedStandards } from './get-supported-standards.js';
import { getSupportedTimeZones } from './get-supported-time-zones.js';
import { getTimeZone } from './get-time-zone.js';
import { getVersion } from './get-version.js';
import { importCloudConfig } from './import-cloud-config.js';
import { importConfig } from './import-config.js';
import { installCertificate } from './install-certificate.js';
import { installUserApp } from './install-user-app.js';
import { listUserApps } from './list-user-apps.js';
import type { Operation } from './operation.js';
import { passThrough } from './pass-through.js';
import { purgeLog } from './purge-log.js';
import { reboot } from './reboot.js';
import { refreshCertificate } from './refresh-certificate.js';
import { resetConfig } from './reset-config.js';
import { sendToUserApp } from './send-to-user-app.js';
import { setAppLed } from './set-app-led.js';
import { setCableLoss } from './set-cable-loss.js';
import { setConfig } from './set-config.js';
import { setDataToRg } from './set-data-to-rg.js';
import { setGpioLed } from './set-gpio-led.js';
import { setGpo } from './set-gpo.js';
import { setHostName } from './set-host-name.js';
import { setLogConfig } from './set-log-config.js';
import { setManagementEventConfig } from './set-management-event-config.js';
import { setMode } from './set-mode.js';
import { setNameAndDescription } from './set-name-and-description.js';
import { setNetwork } from './set-network.js';
import { setNtpServer } from './set-ntp-server.js';
import { setOs } from './set-os.js';
import { setRegion } from './set-region.js';
import { setRevertbackOs } from './set-revertback-os.js';
import { setTimeZone } from './set-time-zone.js';
import { setUserAppAutostart } from './set-user-app-autostart.js';
import { start } from './start.js';
import { startUserApp } from './start-user-app.js';
import { stop } from './stop.js';
import { stopUserApp } from './stop-user-app.js';
import { testConnection } from './test-connection.js';
import { uninstallUserApp } from './uninstall-user-app.js';
import { updatePassword } from './update-password.js';

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
  getGpioLed,
  setGpioLed,
  getAppLed,
  setAppLed,
  getManagementEventConfig,
  setManagementEventConfig,
  importCloudConfig,
  exportConfig,
  importConfig,
  resetConfig,
  setDataToRg,
  passThrough,
  testConnection,
  getNetwork,
  setNetwork,
  setHostName,
  getTimeZone,
  setTimeZone,
  getSupportedTimeZones,
  getNtpServer,
  setNtpServer,
  getNameAndDescription,
  setNameAndDescription,
  getCableLoss,
  setCableLoss,
  getRegion,
  setRegion,
  getSupportedRegions,
  getSupportedStandards,
  getSupportedCountries,
  getGpiStatus,
  getGpoStatus,
  setGpo,
  reboot,
  getLogConfig,
  setLogConfig,
  getLog,
  purgeLog,
  getCertificates,
  refreshCertificate,
  installCertificate,
  deleteCertificate,
  createCertificateRequest,
  listUserApps,
  installUserApp,
  uninstallUserApp,
  startUserApp,
  stopUserApp,
  setUserAppAutostart,
  sendToUserApp,
  setOs,
  setRevertbackOs,
  updatePassword,
];
