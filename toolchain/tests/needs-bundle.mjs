/** Whether test files start the bundled programs, themselves or by what they import. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param files Paths of test files (.ts) from the root of the project. */
export async function needsBundle(root, files) {
  const { build, stop } = await import('esbuild');
  try {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: files,
      outdir: 'dist',
      bundle: true,
      write: false,
      metafile: true,
      packages: 'external',
      external: ['*.json'],
      platform: 'node',
      format: 'esm',
      logLevel: 'silent',
    });
    return Object.keys(metafile.inputs)
      .filter((path) => path.startsWith('test/'))
      .some((path) => /dist\/bundle|bootstrap\.mjs/.test(readFileSync(join(root, path), 'utf8')));
  } finally {
    await stop();
  }
}
