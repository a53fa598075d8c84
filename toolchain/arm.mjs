/**
 * `npm run test:arm64`, `npm run test:armv7`: Singulate on an emulated machine. The built files are
 * what they should be; the native tests pass; seeded fields give the same reads as here, byte for
 * byte; the service reads tags and streams them. Prints last "N passed, N failed".
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { smoke } from './arm-smoke.mjs';
import { build, ROOT } from './build.mjs';
import { addonOf, crossBuild } from './cross-build.mjs';
import { elfFaults } from './elf.mjs';
import { runNativeTests } from './native-tests.mjs';
import { run, SetupError, step } from './steps.mjs';
import { targetFrom } from './targets.mjs';

const counts = { passed: 0, failed: 0 };

function note(name, ok, output = '') {
  counts[ok ? 'passed' : 'failed']++;
  console.log(`${ok ? '✓' : '✗'} ${name}`);
  if (!ok) console.log(output);
}

function checkFiles(target) {
  for (const [path, options] of [
    [addonOf(target), { released: true }],
    [join(ROOT, 'out', target.preset, 'singulate_test'), {}],
  ]) {
    const faults = elfFaults(path, target, options);
    note(
      `${path.slice(ROOT.length + 1)} is hardened, and for its machine`,
      faults.length === 0,
      faults,
    );
  }
}

async function readLog(...command) {
  const { code, output } = await run(command[0], command.slice(1), { cwd: ROOT });
  if (code !== 0) throw new SetupError(`${command.join(' ')} failed: ${output.slice(-500)}`);
  return output;
}

const digest = (text) => createHash('sha256').update(text).digest('hex').slice(0, 16);

async function checkReads(target, emulated) {
  const host = join(ROOT, 'out/host/singulate_read_log');
  const once = await readLog(host);
  const twice = await readLog(host);
  const there = await readLog(...emulated, join(ROOT, 'out', target.preset, 'singulate_read_log'));
  const lines = once.split('\n').length - 1;
  note(`the same seed gives the same ${lines} reads twice (${digest(once)})`, once === twice);
  note(`and on ${target.title} (${digest(there)})`, lines > 1000 && once === there);
}

async function checkNative(target, emulated) {
  const tests = join(ROOT, 'out', target.preset, 'singulate_test');
  const { passed, failed, output } = await runNativeTests([...emulated, tests], { cwd: ROOT });
  if (failed === 0) process.stdout.write(output);
  note(`${passed} native tests on ${target.title}`, failed === 0, output);
}

async function main(target) {
  await build();
  await crossBuild(target, 'singulate', 'singulate_test', 'singulate_read_log');
  const log = ['--build', 'out/host', '--target', 'singulate_read_log'];
  await step('building the read log here', 'cmake', log, { cwd: ROOT });
  checkFiles(target);
  const emulated = [target.emulator, '-L', target.libraries];
  await checkReads(target, emulated);
  await checkNative(target, emulated);
  await smoke(target, addonOf(target), note);
}

const target = targetFrom(process.argv.slice(2));
if (target !== undefined) {
  try {
    await main(target);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    note(error.message, false);
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed > 0 ? 1 : 0;
}
