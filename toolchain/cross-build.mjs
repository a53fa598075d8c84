/**
 * `npm run build:arm64`, `npm run build:armv7`: the addon for another machine, stripped, with its
 * debug symbols beside it.
 */
import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { build, ROOT } from './build.mjs';
import { elfFaults } from './elf.mjs';
import { SetupError, step } from './steps.mjs';
import { need } from './system.mjs';
import { targetFrom } from './targets.mjs';

/** Builds CMake targets for a target, into its folder in out/. */
export async function crossBuild({ preset, title }, ...cmakeTargets) {
  await need('compiler', 'cmake', 'make', preset);
  // The headers of Node come from npm packages.
  await build({ packagesOnly: true });
  const at = { cwd: ROOT };
  await step(`configuring for ${title}`, 'cmake', ['--preset', preset], at);
  const jobs = String(availableParallelism());
  const args = ['--build', `out/${preset}`, '-j', jobs, '--target', ...cmakeTargets];
  await step(`building for ${title}`, 'cmake', args, at);
}

export const addonOf = ({ preset }) => join(ROOT, 'out', preset, 'singulate.node');

function describe(target) {
  const file = addonOf(target);
  const size = (path) => `${(statSync(path).size / 1e6).toFixed(2)} MB`;
  const path = relative(ROOT, file);
  const what = Object.values(target.elf).join(', ');
  console.log(`${path}: ${what}; ${size(file)}`);
  console.log(`${path}.debug: its debug symbols; ${size(`${file}.debug`)}`);
}

async function main(target) {
  await crossBuild(target, 'singulate');
  describe(target);
  const faults = elfFaults(addonOf(target), target, { released: true });
  for (const fault of faults) console.error(`singulate.node: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}

if (process.argv[1] === import.meta.filename) {
  const target = targetFrom(process.argv.slice(2));
  try {
    if (target !== undefined) await main(target);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(`singulate: ${error.message}`);
    process.exitCode = 1;
  }
}
