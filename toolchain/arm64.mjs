/**
 * The native core on emulated ARM 64-bit: its tests, and the read log of seeded fields, which must
 * be the same there, here, and here a second time. Prints last "N passed, N failed".
 */
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { build, ROOT } from './build.mjs';
import { run, SetupError, step } from './steps.mjs';
import { need } from './system.mjs';

const EMULATED = ['qemu-aarch64', '-L', '/usr/aarch64-linux-gnu'];

/** Of the emulated tests, which take well under a minute. */
const LONGEST_MS = 300_000;

const counts = { passed: 0, failed: 0 };

function note(name, ok, output = '') {
  counts[ok ? 'passed' : 'failed']++;
  console.log(`${ok ? '✓' : '✗'} ${name}`);
  if (!ok) console.log(output);
}

async function make(preset, ...targets) {
  const at = { cwd: ROOT };
  await step(`configuring ${preset}`, 'cmake', ['--preset', preset], at);
  const jobs = String(availableParallelism());
  const args = ['--build', `out/${preset}`, '-j', jobs, '--target', ...targets];
  await step(`building ${preset}`, 'cmake', args, at);
}

async function readLog(...command) {
  const { code, output } = await run(command[0], command.slice(1), { cwd: ROOT });
  if (code !== 0) throw new SetupError(`${command.join(' ')} failed: ${output.slice(-500)}`);
  return output;
}

const digest = (text) => createHash('sha256').update(text).digest('hex').slice(0, 16);

try {
  await need('compiler', 'cmake', 'make', 'arm64');
  await build({ nativeTests: true });
  await make('host', 'singulate_read_log');
  await make('arm64', 'singulate_test', 'singulate_read_log');

  const host = join(ROOT, 'out/host/singulate_read_log');
  const once = await readLog(host);
  const twice = await readLog(host);
  const arm = await readLog(...EMULATED, join(ROOT, 'out/arm64/singulate_read_log'));
  const lines = once.split('\n').length - 1;
  note(`the same seed gives the same ${lines} reads twice (${digest(once)})`, once === twice);
  note(`and on ARM 64-bit (${digest(arm)})`, lines > 1000 && once === arm);

  const tests = join(ROOT, 'out/arm64/singulate_test');
  const { code, output } = await run(EMULATED[0], [...EMULATED.slice(1), tests], {
    cwd: ROOT,
    timeout: LONGEST_MS,
  });
  note('native tests on ARM 64-bit', code === 0, output);
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  note(error.message, false);
}
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 ? 1 : 0;
