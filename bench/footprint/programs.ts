/** What a reader runs: the programs as they are bundled. */
import { join } from 'node:path';
import { MEMORY_ENVIRONMENT, NODE_ARGS } from '../../src/cli/service-process.js';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';

export const BUNDLE_FOLDER = join(PACKAGE_ROOT, 'dist/bundle/lib');

export function bundled(name: string): string {
  return join(BUNDLE_FOLDER, `${name}.js`);
}

/** How an init system runs both services. */
export const AS_SERVICES = {
  radioNode: NODE_ARGS,
  gatewayNode: NODE_ARGS,
  env: { ...MEMORY_ENVIRONMENT, ...process.env },
  script: bundled,
} as const;
