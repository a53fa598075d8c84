/** A first start fetches what it needs, and what tests and lint need is fetched for them alone. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';

const TOOLS = 'toolchain/tools/package.json';

/** @returns The packages that npm would install into an empty folder. */
function installed(t: Test, ...options: string[]): string[] {
  const folder = t.testdir();
  mkdirSync(join(folder, 'toolchain/tools'), { recursive: true });
  for (const file of ['package.json', 'package-lock.json', '.npmrc', TOOLS]) {
    cpSync(join(PACKAGE_ROOT, file), join(folder, file));
  }
  const args = ['ci', '--dry-run', '--offline', ...options];
  const { stdout, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' });
  const added = [...stdout.matchAll(/^add (\S+) /gm)].map(([, name]) => name as string);
  t.not(added.length, 0, stderr);
  return added;
}

t.test('tools are a workspace, which a start leaves out', async (t) => {
  const tools = JSON.parse(readFileSync(join(PACKAGE_ROOT, TOOLS), 'utf8'));
  const names = Object.keys(tools.devDependencies);
  const forStart = installed(t, '--workspaces=false');
  const all = installed(t);
  t.strictSame(
    names.filter((name) => !all.includes(name)),
    [],
    'the lock file has them',
  );
  // Types that a package of the services brings are there in any case.
  const present = names.filter((name) => forStart.includes(name) && !name.startsWith('@types/'));
  t.strictSame(present, []);
  for (const name of ['esbuild', 'protobufjs-cli', 'node-api-headers', '@grpc/grpc-js']) {
    t.ok(forStart.includes(name), name);
  }
  t.ok(2 * forStart.length < all.length, `${forStart.length} of ${all.length}`);
});
