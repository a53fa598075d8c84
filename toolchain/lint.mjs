/**
 * All lint and type checks: Biome, tsc, the layering, clang-format, clang-tidy.
 * `--write` mends what can be mended by itself (format, safe fixes).
 */
import { readFileSync } from 'node:fs';
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

try {
  await need('clang-format', 'clang-tidy');
  // clang-tidy reads the compile commands, tsc the generated contract.
  await build({ nativeTests: true });
  const checks = [
    ['Biome', bin('biome'), ['check', '--error-on-warnings', ...(write ? ['--write'] : [])]],
    ['types', bin('tsc'), ['--noEmit', '-p', '.']],
    ['layers', process.execPath, ['toolchain/layers.mjs']],
    [
      'clang-format',
      'clang-format',
      [...(write ? ['-i'] : ['--dry-run', '--Werror']), ...(await nativeFiles())],
    ],
    [
      'clang-tidy',
      'clang-tidy',
      ['-p', 'out/host', '--quiet', '--warnings-as-errors=*', ...nativeSources()],
    ],
  ];
  let failed = 0;
  for (const [name, command, args] of checks) {
    const code = await runInherited(command, args, { cwd: ROOT });
    console.log(`${code === 0 ? '✓' : '✗'} ${name}`);
    if (code !== 0) failed++;
  }
  console.log(`${checks.length - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`singulate: ${error.message}\n`);
  process.exitCode = 1;
}
