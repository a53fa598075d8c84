/**
 * Builds the addon with cmake-js and with node-gyp, the two ways integrators use, and loads each
 * result: both read native/sources.json, so a file that one of them misses shows here. Both are
 * hardened as the build with CMake is. The first has a driver from outside the tree in it.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build, ROOT } from './build.mjs';
import { elfFaults } from './elf.mjs';
import { checkOutsideDriver, copyTemplate } from './outside-driver.mjs';
import { SetupError, step } from './steps.mjs';
import { HOST } from './targets.mjs';

const require = createRequire(import.meta.url);

const DRIVER = 'SINGULATE_DRIVER_DIR';
const BUILDS = [
  {
    script: 'build:native',
    addon: 'out/cmake-js/Release/singulate.node',
    args: () => ['--', `--CD${DRIVER}=${copyTemplate(join(ROOT, 'out/outside-driver'))}`],
    async after(addon) {
      await checkOutsideDriver(require(addon), addon);
      // The next build is without it again.
      const args = [`-D${DRIVER}=`, 'out/cmake-js'];
      await step('forgetting the driver from outside', 'cmake', args, { cwd: ROOT });
    },
  },
  { script: 'build:gyp', addon: 'build/Release/singulate.node' },
];

function checkAddon(path) {
  const faults = elfFaults(path, HOST);
  if (faults.length > 0) throw new SetupError(`${path}: ${faults.join('; ')}`);
  const { Radio, fillBatch } = require(path);
  if (typeof Radio !== 'function' || fillBatch(new Uint8Array(960)) < 1) {
    throw new SetupError(`${path} loads but does not work`);
  }
}

try {
  await build({ tools: true });
  for (const { script, addon, args, after } of BUILDS) {
    const npm = ['run', '--silent', script, ...(args?.() ?? [])];
    await step(`npm run ${script}`, 'npm', npm, { cwd: ROOT });
    checkAddon(join(ROOT, addon));
    await after?.(join(ROOT, addon));
  }
  console.log(`${BUILDS.length} passed, 0 failed`);
} catch (error) {
  console.error(error.message);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
