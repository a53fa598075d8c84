/**
 * Compiles src, test and bench to dist, a file for each: esbuild takes away the types and does not check them
 * (`npm run lint` does, for all of them, in ten times as long).
 */
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FOLDERS = ['src', 'test', 'bench'];

/** @param root Of the project. What was there of files that are gone is removed. */
export async function compile(root) {
  const paths = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)),
  );
  const sources = paths.filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'));
  for (const folder of FOLDERS)
    rmSync(join(root, 'dist', folder), { recursive: true, force: true });
  const { build, stop } = await import('esbuild');
  try {
    await build({
      absWorkingDir: root,
      entryPoints: sources,
      outdir: 'dist',
      outbase: '.',
      platform: 'node',
      target: 'node20.17',
      format: 'esm',
      sourcemap: true,
      sourcesContent: false,
      logLevel: 'warning',
    });
  } finally {
    // Its service would live as long as the command that comes after.
    await stop();
  }
  for (const path of paths.filter(isImported)) {
    mkdirSync(join(root, 'dist', dirname(path)), { recursive: true });
    cpSync(join(root, path), join(root, 'dist', path));
  }
}

/** Generated code, and JSON that is imported; other files are read where they lie. */
function isImported(path) {
  if (path.startsWith('src/contract/generated/')) return path.endsWith('.js');
  return path.startsWith('bench/tables/') && path.endsWith('.json');
}
