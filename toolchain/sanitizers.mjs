/**
 * The native tests and every addon case under AddressSanitizer with UndefinedBehaviorSanitizer,
 * and under ThreadSanitizer. Node itself is not instrumented: the sanitizer's library is loaded
 * before it. Prints last "N passed, N failed".
 */
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { build, ROOT } from './build.mjs';
import { runNativeTests } from './native-tests.mjs';
import { run, SetupError, step } from './steps.mjs';
import { checkCompiler, need } from './system.mjs';

const CASES = 'dist/test/addon/cases';
const NODE_FLAGS = ['--expose-gc', '--force-node-api-uncaught-exceptions-policy=true'];

const LANES = [
  {
    preset: 'asan',
    library: 'libasan.so',
    symbol: '__asan_init',
    // V8 frees nothing when a process ends by process.exit(); what is left is not a leak of ours.
    env: (name) => ({
      ASAN_OPTIONS: name.startsWith('exit') ? 'detect_leaks=0' : 'detect_leaks=1',
      UBSAN_OPTIONS: 'halt_on_error=1:print_stacktrace=1',
    }),
  },
  {
    preset: 'tsan',
    library: 'libtsan.so',
    symbol: '__tsan_init',
    env: () => ({ TSAN_OPTIONS: `suppressions=${join(ROOT, 'toolchain/tsan.supp')}` }),
  },
];

const counts = { passed: 0, failed: 0 };

function note(name, ok, output = '') {
  counts[ok ? 'passed' : 'failed']++;
  console.log(`${ok ? '✓' : '✗'} ${name}`);
  if (!ok) console.log(output);
}

async function buildLane({ preset }) {
  const options = { cwd: ROOT };
  await step(`configuring ${preset}`, 'cmake', ['--preset', preset], options);
  const jobs = String(availableParallelism());
  await step(`building ${preset}`, 'cmake', ['--build', `out/${preset}`, '-j', jobs], options);
}

/** A build that silently lost its flags would pass everything. */
async function checkSanitized({ preset, symbol }) {
  const { output } = await run('nm', ['-D', `out/${preset}/singulate.node`], { cwd: ROOT });
  note(`${preset}: the addon is sanitized`, output.includes(symbol), output);
}

async function nativeTests({ preset, env }) {
  const { passed, failed, output } = await runNativeTests(
    [join(ROOT, 'out', preset, 'singulate_test')],
    { cwd: ROOT, env: { ...process.env, ...env('native') } },
  );
  if (failed === 0) process.stdout.write(output);
  note(`${preset}: ${passed} native tests`, failed === 0, output);
}

async function addonCases({ preset, library, env }) {
  const compiler = process.env.CXX ?? 'c++';
  const { output } = await run(compiler, [`-print-file-name=${library}`]);
  const files = readdirSync(join(ROOT, CASES)).filter((name) => name.endsWith('.js'));
  async function runCase(file) {
    const result = await run(process.execPath, [...NODE_FLAGS, join(CASES, file)], {
      cwd: ROOT,
      timeout: 120_000,
      env: {
        ...process.env,
        ...env(file),
        SINGULATE_ADDON: join(ROOT, 'out', preset, 'singulate.node'),
        LD_PRELOAD: output.trim(),
      },
    });
    note(`${preset}: ${file.slice(0, -3)}`, result.code === 0, result.output);
  }
  async function work() {
    for (let file = files.shift(); file !== undefined; file = files.shift()) await runCase(file);
  }
  // Each is a process of its own, and many of them wait.
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

try {
  await need('compiler', 'cmake', 'make');
  await checkCompiler();
  await build();
  for (const lane of LANES) {
    await buildLane(lane);
    await checkSanitized(lane);
    await nativeTests(lane);
    await addonCases(lane);
  }
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  note(error.message, false);
}
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 ? 1 : 0;
