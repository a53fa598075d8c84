/** The contract in a folder of its own, to be changed and checked there. */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';

const PROTO = 'proto/singulate/radio/v1/radio.proto';

export function copyContract(to: string): void {
  for (const name of ['proto', 'proto-released', 'buf.yaml', 'package.json']) {
    cpSync(join(PACKAGE_ROOT, name), join(to, name), { recursive: true });
  }
}

export function setVersion(root: string, version: string): void {
  const path = join(root, 'package.json');
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), version }));
}

export function readContract(root: string): string {
  return readFileSync(join(root, PROTO), 'utf8');
}

export function writeContract(root: string, text: string): void {
  writeFileSync(join(root, PROTO), text);
}

/** What the lint runs. */
export function check(root: string): { status: number | null; output: string } {
  return script('contract-check.mjs', root);
}

/** `npm run contract:release` */
export function release(root: string): { status: number | null; output: string } {
  return script('contract-release.mjs', root);
}

function script(name: string, root: string) {
  const path = join(PACKAGE_ROOT, 'toolchain', name);
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, root], {
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}
