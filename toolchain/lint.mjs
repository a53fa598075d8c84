/**
 * All lint and type checks: Biome, tsc, the layering, the documents of the interface, the contract, clang-format,
 * clang-tidy.
 * `--write` mends what can be mended by itself (format, safe fixes).
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { bin, build, ROOT } from './build.mjs';
import { runInherited, SetupError } from './steps.mjs';
import { need } from './system.mjs';

const write = process.argv.includes('--write');

function nativeSources() {
  const groups = JSON.parse(readFileSync(join(ROOT, 'native/sources.json'), 'utf8'));
  return [...new Set(Object.values(groups).flat())];
}

async function nativeFiles() {
  const { readdirSync } = await import('node:fs');
  return readdirSync(join(ROOT, 'native'), { recursive: true })
    .filter((name) => /\.(cpp|h)$/.test(name) && !name.startsWith('third_party/'))
    .map((name) => join('native', name));
}

/** The slowest check of all: a process for each processor, every one with its share of files. */
async function clangTidy() {
  const workers = availableParallelism();
  const sources = nativeSources();
  const shares = Array.from({ length: workers }, (_, i) =>
    sources.filter((_source, index) => index % workers === i),
  );
  const args = ['-p', 'out/host', '--quiet', '--warnings-as-errors=*'];
  const codes = await Promise.all(
    shares
      .filter((share) => share.length > 0)
      .map((share) => runInherited('clang-tidy', [...args, ...share], { cwd: ROOT })),
  );
  return codes.every((code) => code === 0);
}

try {
  await need('clang-format', 'clang-tidy');
  // clang-tidy reads the compile commands, tsc the generated contract.
  await build({ nativeTests: true });
  const checks = [
    ['Biome', bin('biome'), ['check', '--error-on-warnings', ...(write ? ['--write'] : [])]],
    ['types', bin('tsc'), ['--noEmit', '-p', '.']],
    ['layers', process.execPath, ['toolchain/layers.mjs']],
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
  let failed = 0;
  for (const [name, command, args] of checks) {
    const code = await runInherited(command, args, { cwd: ROOT });
    console.log(`${code === 0 ? '✓' : '✗'} ${name}`);
    if (code !== 0) failed++;
  }
  const tidy = await clangTidy();
  console.log(`${tidy ? '✓' : '✗'} clang-tidy`);
  if (!tidy) failed++;
  const total = checks.length + 1;
  console.log(`${total - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`singulate: ${error.message}\n`);
  process.exitCode = 1;
}
