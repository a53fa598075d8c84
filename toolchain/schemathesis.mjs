/** Schemathesis, which makes requests out of an OpenAPI document, in a Python environment of its own. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './build.mjs';
import { step } from './steps.mjs';

const VERSION = '4.32.5';
const FOLDER = join(ROOT, 'out/schemathesis');

export async function needSchemathesis() {
  const done = join(FOLDER, `version-${VERSION}`);
  if (existsSync(done)) return;
  rmSync(FOLDER, { recursive: true, force: true });
  await step('making a Python environment', 'python3', ['-m', 'venv', FOLDER]);
  const pip = join(FOLDER, 'bin/pip');
  await step('installing Schemathesis', pip, ['install', '-q', `schemathesis==${VERSION}`]);
  // Last, so that a broken installation is made again.
  writeFileSync(done, '');
}
