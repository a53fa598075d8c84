/**
 * The checks of the contract (proto/): its style, a comment on everything, and that no client of
 * the last release breaks. Works on the folder that is given, or on the project.
 */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bin, ROOT } from './build.mjs';
import { run, SetupError } from './steps.mjs';

/** The contract as it was released, a folder for each version. buf wants it outside of proto/. */
export const RELEASED = 'proto-released';

/** Versions that were released, the last one last. */
export function releases(root) {
  const names = readdirSync(join(root, RELEASED)).filter((name) => /^\d+\.\d+\.\d+$/.test(name));
  return names.sort(compareVersions);
}

export function compareVersions(one, other) {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number));
  const at = a.findIndex((part, index) => part !== b[index]);
  return at < 0 ? 0 : a[at] - b[at];
}

/** @returns true if all is well; what is not is on standard output. */
export async function checkContract(root) {
  const last = releases(root).at(-1);
  if (last === undefined) throw new SetupError(`${RELEASED}: there is no release in it`);
  const buf = (...args) => run(bin('buf'), args, { cwd: root });
  const results = await Promise.all([
    buf('lint'),
    buf('breaking', '--against', `${RELEASED}/${last}`),
  ]);
  for (const { output } of results) process.stdout.write(output);
  const [styled, kept] = results.map(({ code }) => code === 0);
  if (!kept) {
    console.log(
      `The contract breaks clients of ${last} (${RELEASED}/${last}). What is released stays as it is; ` +
        'within v1 there are only additions (docs/contract.md).',
    );
  }
  return styled && kept;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    process.exitCode = (await checkContract(resolve(process.argv[2] ?? ROOT))) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.log(error.message);
    process.exitCode = 1;
  }
}
