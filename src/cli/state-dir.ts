/** The state dir: made if it is missing, writable, with a path that a Unix socket can have. */
import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { configError, errorMessage } from '../shared/errors.js';

/** sun_path of Linux holds 108 bytes, the last of them a zero. */
const MAX_SOCKET_PATH_BYTES = 107;

export function radioSocket(stateDir: string): string {
  return join(stateDir, 'radio.sock');
}

/** Throws CONFIG. */
export function prepareStateDir(stateDir: string): void {
  const bytes = Buffer.byteLength(radioSocket(stateDir));
  if (bytes > MAX_SOCKET_PATH_BYTES) {
    throw configError(
      `--state-dir: ${stateDir} is too long: its radio.sock would have a path of ${bytes} bytes; ` +
        `allowed: ${MAX_SOCKET_PATH_BYTES}; choose a shorter --state-dir`,
    );
  }
  try {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
    accessSync(stateDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw configError(`--state-dir: ${stateDir} is not writable: ${errorMessage(error)}`);
  }
}
