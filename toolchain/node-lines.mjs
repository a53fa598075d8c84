/**
 * The lines of Node.js that Singulate runs on: of each the first minor version, what the lane `nodes` tries,
 * and in `engines` of package.json what npm looks at.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { step } from './steps.mjs';

export const LINES = [
  { major: 20, minor: 17, tried: '20.17.0' },
  { major: 22, minor: 2, tried: '22.23.3' },
  { major: 24, minor: 0, tried: '24.21.0' },
  { major: 26, minor: 0, tried: '26.10.0' },
];

/** As in package.json. */
export const ENGINES = LINES.map(({ major, minor }) => `^${major}.${minor}.0`).join(' || ');

/** What the packages bring, where Node.js is built for such a machine: the newest line with long support. */
export const NEWEST_LTS = '26.10.0';

/** @param version As of process.versions.node. */
export function isSupported(version) {
  const [major, minor] = version.split('.').map(Number);
  return LINES.some((line) => line.major === major && minor >= line.minor);
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
