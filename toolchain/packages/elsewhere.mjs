/** Builds a package from the same sources in another folder, to compare the two. */
import { cpSync, mkdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run, SetupError, step } from '../steps.mjs';

/** @param to Of another length than root, and replaced. @returns The folder with the packages. */
export async function buildElsewhere(root, to, architecture, epoch) {
  rmSync(to, { recursive: true, force: true });
  const { code, output } = await run('git', ['ls-files', '-z', '-c', '-o', '--exclude-standard'], {
    cwd: root,
  });
  if (code !== 0) throw new SetupError(`git ls-files failed: ${output}`);
  for (const file of output.split('\0').filter((name) => name !== '')) {
    mkdirSync(join(to, dirname(file)), { recursive: true });
    cpSync(join(root, file), join(to, file));
    // Another time as well: none of it may come into a package.
    utimesSync(join(to, file), 1_000_000_000, 1_000_000_000);
  }
  // What is locked is the same in both; links, as a copy takes long.
  const copy = ['-al', join(root, 'node_modules'), join(to, 'node_modules')];
  await step('the npm packages there', 'cp', copy);
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(epoch) };
  // Compiled again: a cache would give back what the first build made.
  env.CCACHE_DISABLE = '1';
  await step(
    `the packages for ${architecture}, built from another folder`,
    // Another umask as well.
    '/bin/sh',
    ['-c', 'umask 077; exec "$@"', 'sh', process.execPath, 'toolchain/package.mjs', architecture],
    { cwd: to, env },
  );
  return join(to, 'out/packages');
}

/** @returns Names of files that differ. */
export function differing(one, other, names) {
  return names.filter(
    (name) => !readFileSync(join(one, name)).equals(readFileSync(join(other, name))),
  );
}
