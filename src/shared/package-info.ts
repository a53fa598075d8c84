/** Where the package lies and which version it is. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// This file runs as dist/src/shared/package-info.js, or as a part of files in dist/bundle/lib.
const HERE = dirname(fileURLToPath(import.meta.url));

export const PACKAGE_ROOT = join(HERE, '..', '..', '..');

const BUNDLE = join(PACKAGE_ROOT, 'dist', 'bundle', 'lib');

/** The program of a service, in the form in which this one runs: bundled, or file by file. */
export function serviceScript(service: string): string {
  return HERE === BUNDLE
    ? join(BUNDLE, `${service}.js`)
    : join(PACKAGE_ROOT, 'dist', 'src', service, 'main.js');
}

export const VERSION: string = JSON.parse(
  readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8'),
).version;
