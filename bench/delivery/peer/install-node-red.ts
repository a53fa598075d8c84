/** Node-RED, installed into a folder of its own on first use: never a dependency of the project. */
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PACKAGE_ROOT } from '../../../src/shared/package-info.js';

const SOURCE = join(PACKAGE_ROOT, 'bench/delivery/node-red');
const FOLDER = join(PACKAGE_ROOT, 'out/bench/node-red');
const FILES = ['package.json', 'package-lock.json'];

export interface NodeRed {
  version: string;
  script: string;
}

/** @throws if it cannot be had. */
export async function installNodeRed(): Promise<NodeRed> {
  const lock = readFileSync(join(SOURCE, 'package-lock.json'), 'utf8');
  // What is installed is known by the list it was installed from.
  const stamp = join(FOLDER, 'installed');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
    process.stderr.write('bench: installs Node-RED, the peer to compare with (100 MB, once) ...\n');
    mkdirSync(FOLDER, { recursive: true });
    for (const file of FILES) copyFileSync(join(SOURCE, file), join(FOLDER, file));
    const args = ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
    await promisify(execFile)('npm', args, { cwd: FOLDER });
    writeFileSync(stamp, lock);
    process.stderr.write('bench: Node-RED is installed\n');
  }
  const root = join(FOLDER, 'node_modules/node-red');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return { version, script: join(root, 'red.js') };
}
