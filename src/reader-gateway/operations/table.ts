/** All operations of the interface that this version has. */
import { explainMode } from './explain-mode.js';
import { getCapabilities } from './get-capabilities.js';
import { getConfig } from './get-config.js';
import { getMode } from './get-mode.js';
import { getStatus } from './get-status.js';
import { getVersion } from './get-version.js';
import type { Operation } from './operation.js';
import { setConfig } from './set-config.js';
import { setMode } from './set-mode.js';
import { setOs } from './set-os.js';
import { setRevertbackOs } from './set-revertback-os.js';
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
  setOs,
  setRevertbackOs,
];
