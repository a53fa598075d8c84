/**
 * The lines of Node.js that Singulate runs on: of each the first minor version, what the lane `nodes` tries,
 * and in `engines` of package.json what npm looks at.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError, step } from './steps.mjs';

export const LINES = [
  { major: 20, minor: 17, tried: '20.17.0' },
  { major: 22, minor: 2, tried: '22.23.3' },
  { major: 24, minor: 0, tried: '24.21.0' },
  { major: 26, minor: 0, tried: '26.10.0' },
];

/** As in package.json. */
export const ENGINES = LINES.map(({ major, minor }) => `^${major}.${minor}.0`).join(' || ');

/**
 * What the packages bring: the newest line with long support, and by the machine, as Node.js names it, the
 * SHA-256 of its program. For ARM 32-bit the Node.js project builds none any more.
 */
export const BROUGHT = {
  version: '26.10.0',
  programs: {
    x64: 'ab9c8eecf9f82d6693cdc3accced17034065c8d96213b0aa76a7e803d20ae1da',
    arm64: '71b004f18a82f3ea8f26109798564a12e5e4c7989a4c35b93851830b5815dd03',
  },
};

/** @param version As of process.versions.node. */
export function isSupported(version) {
  const [major, minor] = version.split('.').map(Number);
  return LINES.some((line) => line.major === major && minor >= line.minor);
}

/** @returns The folder of what the packages for such a machine bring; undefined: nothing. */
export async function fetchBrought(machine, root) {
  const sha256 = BROUGHT.programs[machine];
  if (sha256 === undefined) return undefined;
  const folder = await fetchNode(BROUGHT.version, machine, root);
  const found = createHash('sha256')
    .update(readFileSync(join(folder, 'bin/node')))
    .digest('hex');
  if (found !== sha256) {
    throw new SetupError(`${folder}/bin/node has the SHA-256 ${found}, not ${sha256}`);
  }
  return folder;
}

/**
 * Fetches a version by npm: its package node-linux-MACHINE carries the program.
 * @param machine As Node.js names it: x64 or arm64.
 * @returns The folder that its bin/node lies in.
 */
export async function fetchNode(version, machine, root) {
  const to = join(root, 'out/nodes', `${version}-${machine}`);
  const name = `node-linux-${machine}`;
  const folder = join(to, 'node_modules', name);
  if (!existsSync(join(folder, 'bin/node'))) {
    mkdirSync(to, { recursive: true });
    await step(`Node.js ${version} for ${machine}`, 'npm', [
      ...['install', '--prefix', to, '--no-save', '--no-package-lock', '--ignore-scripts'],
      // For other machines too: it is only unpacked here.
      ...['--force', '--no-audit', '--no-fund', '--prefer-offline', `${name}@${version}`],
    ]);
  }
  return folder;
}
