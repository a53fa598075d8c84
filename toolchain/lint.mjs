/**
 * All lint and type checks: Biome, tsc, the layering, the words, the documents of the interface, the contract,
 * clang-format, clang-tidy.
 * `--write` mends what can be mended by itself (format, safe fixes); names choose checks, as in
 * `npm run lint -- types layers`, and `--but NAME` leaves one out.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bin, build, ROOT } from './build.mjs';
import { run, runInherited, SetupError, step } from './steps.mjs';
import { need } from './system.mjs';

const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean', default: false }, but: { type: 'string' } },
  allowPositionals: true,
});
const { write } = values;

/**
 * What is wrong, not what could be more modern; each of them is executed all the time. What is
 * declared once in each file is declared twice in all of them.
 */
const CHECKS_OF_TESTS =
  '--checks=-clang-analyzer-*,-cppcoreguidelines-*,-modernize-*,-readability-redundant-declaration';

const TIDY = 'clang-tidy';

async function nativeFiles() {
  const { readdirSync } = await import('node:fs');
  return readdirSync(join(ROOT, 'native'), { recursive: true })
    .filter((name) => /\.(cpp|h)$/.test(name) && !name.startsWith('third_party/'))
    .map((name) => join('native', name));
}

/**
 * The slowest check of all. It looks at all headers again for each file that it is given, so it is
 * given files of many sources each, as the preset has them.
 */
async function clangTidy() {
  const at = { cwd: ROOT };
  const files = [];
  for (const [preset, wanted] of [
    // Not doctest's own code.
    ['lint', /\/Unity\//],
    ['lint-fuzz', /\/fuzz_\w+\.dir\/Unity\//],
  ]) {
    await step(`configuring ${preset}`, 'cmake', ['--preset', preset], at);
    const commands = readFileSync(join(ROOT, 'out', preset, 'compile_commands.json'), 'utf8');
    const sources = JSON.parse(commands).filter(({ file }) => wanted.test(file));
    files.push(...sources.map(({ file }) => ({ preset, file })));
  }
  let good = files.length > 0;
  async function work() {
    for (let next = files.pop(); next !== undefined; next = files.pop()) {
      const { preset, file } = next;
      const checks = file.includes('singulate_test.dir') ? [CHECKS_OF_TESTS] : [];
      const args = ['-p', `out/${preset}`, '--quiet', '--warnings-as-errors=*', ...checks, file];
      const { code, output } = await run('clang-tidy', args, at);
      if (code === 0) continue;
      good = false;
      console.log(output);
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return good;
}

try {
  await need('clang-format', 'clang-tidy');
  // tsc reads the generated contract.
  await build({ tools: true });
  const checks = [
    ['Biome', bin('biome'), ['check', '--error-on-warnings', ...(write ? ['--write'] : [])]],
    ['types', bin('tsc'), ['--noEmit', '-p', '.']],
    ['layers', process.execPath, ['toolchain/layers.mjs']],
    ['words', process.execPath, ['toolchain/words.mjs']],
    ['documents', process.execPath, ['toolchain/documents-lint.mjs']],
    ['contract', process.execPath, ['toolchain/contract-check.mjs']],
    [
      'page of the contract',
      process.execPath,
      ['toolchain/contract-docs.mjs', ...(write ? [] : ['--check'])],
    ],
    [
      'clang-format',
      'clang-format',
      [...(write ? ['-i'] : ['--dry-run', '--Werror']), ...(await nativeFiles())],
    ],
  ];
  const names = [...checks.map(([name]) => name), TIDY];
  for (const name of [...positionals, ...(values.but === undefined ? [] : [values.but])]) {
    if (names.includes(name)) continue;
    throw new SetupError(`check: ${name} given; allowed: ${names.join(', ')}`);
  }
  const wanted = (positionals.length > 0 ? positionals : names).filter(
    (name) => name !== values.but,
  );
  let failed = 0;
  const note = (name, ok) => {
    console.log(`${ok ? '✓' : '✗'} ${name}`);
    if (!ok) failed++;
  };
  for (const [name, command, args] of checks) {
    if (wanted.includes(name)) {
      note(name, (await runInherited(command, args, { cwd: ROOT })) === 0);
    }
  }
  if (wanted.includes(TIDY)) note(TIDY, await clangTidy());
  console.log(`${wanted.length - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`singulate: ${error.message}\n`);
  process.exitCode = 1;
}
