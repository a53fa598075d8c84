/** What a reader runs: the programs as they are bundled. */
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';

export const BUNDLE_FOLDER = join(PACKAGE_ROOT, 'dist/bundle/lib');

export function bundled(name: string): string {
  return join(BUNDLE_FOLDER, `${name}.js`);
}
