/**
 * Builds the addon with cmake-js and with node-gyp, the two ways integrators use, and loads each
 * result: both read native/sources.json, so a file that one of them misses shows here.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build, ROOT } from './build.mjs';
import { SetupError, step } from './steps.mjs';

const require = createRequire(import.meta.url);

const BUILDS = [
  { script: 'build:native', addon: 'out/cmake-js/Release/singulate.node' },
  { script: 'build:gyp', addon: 'build/Release/singulate.node' },
];

function checkAddon(path) {
  const { Radio, fillBatch } = require(path);
  if (typeof Radio !== 'function' || fillBatch(new Uint8Array(960)) < 1) {
    throw new SetupError(`${path} loads but does not work`);
  }
}

try {
  await build();
  for (const { script, addon } of BUILDS) {
    await step(`npm run ${script}`, 'npm', ['run', '--silent', script], { cwd: ROOT });
    checkAddon(join(ROOT, addon));
  }
  console.log(`${BUILDS.length} passed, 0 failed`);
} catch (error) {
  console.error(error.message);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
