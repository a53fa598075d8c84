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
  { major: 22, minor: 12, tried: '22.23.3' },
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

/**
 * Stands as text in each bundled program too, which a Node.js of any age may be given: old syntax, and
 * nothing from outside.
 *
 * @param version As of process.versions.node.
 * @returns One line for who has it; undefined: Singulate runs on it.
 */
export function nodeFault(version, supported) {
  const parts = version.split('.').map(Number);
  if (supported.some((line) => line.major === parts[0] && line.minor <= parts[1])) return undefined;
  const lines = supported.map((line) =>
    line.minor > 0 ? `${line.major} (${line.major}.${line.minor} or newer)` : `${line.major}`,
  );
  const last = lines.pop();
  return `Node.js ${version} runs this; Singulate needs Node.js ${lines.join(', ')} or ${last}`;
}

/**
 * @returns The text of a program that does `start` where Singulate runs, and elsewhere ends with that line as
 * for a wrong setting: systemd does not try again.
 */
export function checkedStart(start) {
  const supported = LINES.map(({ major, minor }) => ({ major, minor }));
  return `const fault = (${nodeFault})(process.versions.node, ${JSON.stringify(supported)});
if (fault === undefined) {
  ${start}
} else {
  process.stderr.write('singulate: ' + fault + '\\n');
  process.exitCode = 2;
}
`;
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
