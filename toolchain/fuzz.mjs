/**
 * `npm run test:fuzz [-- --runs N]`: every fuzz target for N executions (default 200,000) under
 * AddressSanitizer and UndefinedBehaviorSanitizer. Prints last "N passed, N failed".
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './build.mjs';
import { run, SetupError, step } from './steps.mjs';
import { inPath, need } from './system.mjs';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '200000' } } });
/** Bytes of an input: long enough for a whole conversation with a tag. */
const MAX_LENGTH = 2000;

const counts = { passed: 0, failed: 0 };

async function fuzz(name) {
  // What was found before is where the next run begins.
  const corpus = join(ROOT, 'out/fuzz/corpus', name);
  mkdirSync(corpus, { recursive: true });
  const { code, output } = await run(
    join(ROOT, 'out/fuzz', name),
    [`-runs=${values.runs}`, `-max_len=${MAX_LENGTH}`, '-print_final_stats=1', corpus],
    { cwd: join(ROOT, 'out/fuzz') },
  );
  const done = /stat::number_of_executed_units:\s*(\d+)/.exec(output)?.[1] ?? '0';
  const ok = code === 0 && Number(done) > 0;
  counts[ok ? 'passed' : 'failed']++;
  console.log(`${ok ? '✓' : '✗'} ${name}: ${done} executions`);
  if (!ok) console.log(output.slice(-5000));
}

try {
  await need('cmake', 'make', 'clang');
  const at = { cwd: ROOT };
  // Not again: CMake forgets everything else when a preset names the compiler once more.
  if (!existsSync(join(ROOT, 'out/fuzz/CMakeCache.txt'))) {
    // The cache has a name for each compiler, and none for clang++.
    const cache = inPath('ccache') ? ['-DCMAKE_CXX_COMPILER_LAUNCHER=ccache'] : [];
    await step('configuring fuzz', 'cmake', ['--preset', 'fuzz', ...cache], at);
  }
  const jobs = String(availableParallelism());
  await step('building fuzz', 'cmake', ['--build', 'out/fuzz', '-j', jobs], at);
  const { fuzz: sources } = JSON.parse(readFileSync(join(ROOT, 'native/sources.json'), 'utf8'));
  const names = sources.map((source) => basename(source, '.cpp'));
  async function work() {
    for (let name = names.shift(); name !== undefined; name = names.shift()) await fuzz(name);
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work));
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  counts.failed++;
  console.log(`✗ ${error.message}`);
}
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 ? 1 : 0;
