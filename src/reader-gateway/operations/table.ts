/** All operations of the interface that this version has. */
import { explainMode } from './explain-mode.js';
import { getCapabilities } from './get-capabilities.js';
import { getConfig } from './get-config.js';
import { getMode } from './get-mode.js';
import { getStatus } from './get-status.js';
import { getVersion } from './get-version.js';
import { installUserApp } from './install-user-app.js';
import { listUserApps } from './list-user-apps.js';
import type { Operation } from './operation.js';
import { sendToUserApp } from './send-to-user-app.js';
import { setConfig } from './set-config.js';
import { setMode } from './set-mode.js';
import { setUserAppAutostart } from './set-user-app-autostart.js';
import { start } from './start.js';
import { startUserApp } from './start-user-app.js';
import { stop } from './stop.js';
import { stopUserApp } from './stop-user-app.js';
import { testConnection } from './test-connection.js';
import { uninstallUserApp } from './uninstall-user-app.js';

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
  listUserApps,
  installUserApp,
  uninstallUserApp,
  startUserApp,
  stopUserApp,
  setUserAppAutostart,
  sendToUserApp,
];
