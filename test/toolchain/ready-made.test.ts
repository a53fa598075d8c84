/** A checkout with ready-made addons of the same sources compiles nothing; any others are left alone. */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';

interface ReadyMade {
  FILES: string[];
  NATIVE_INPUTS: string[];
  folderOf(root: string, machine: string): string;
  writeReadyMade(from: { root: string; to: string; machine: string; built: string }): void;
  useReadyMade(root: string): Promise<boolean>;
}
const { FILES, NATIVE_INPUTS, folderOf, writeReadyMade, useReadyMade } = (await import(
  `${PACKAGE_ROOT}/toolchain/ready-made.mjs`
)) as ReadyMade;

/** The sources of here, with the addon of here as that of a release. */
function checkout(t: Test): string {
  const root = t.testdir({ toolchain: {} });
  for (const path of NATIVE_INPUTS) {
    const from = join(PACKAGE_ROOT, path);
    if (path === 'native') symlinkSync(from, join(root, path));
    else copyFileSync(from, join(root, path));
  }
  const built = join(PACKAGE_ROOT, 'out/host');
  writeReadyMade({ root: PACKAGE_ROOT, to: root, machine: process.arch, built });
  return root;
}

const broughtTo = (root: string) =>
  FILES.filter((name) => existsSync(join(root, 'out/host', name))).length;

t.test('of the same sources it is used, wherever they lie', async (t) => {
  const root = checkout(t);
  t.equal(await useReadyMade(root), true);
  const addon = join(root, 'out/host/singulate.node');
  const ask = `console.log(typeof require(${JSON.stringify(addon)}).Radio)`;
  t.equal(
    spawnSync(process.execPath, ['-p', ask], { encoding: 'utf8' }).stdout,
    'function\nundefined\n',
  );
  t.equal(broughtTo(root), 2, 'with the program that starts user applications');
});

t.test('of other sources it is not', async (t) => {
  const root = checkout(t);
  const changed = join(root, 'CMakeLists.txt');
  writeFileSync(changed, `${readFileSync(changed, 'utf8')}\n`);
  t.equal(await useReadyMade(root), false);
  t.equal(broughtTo(root), 0);
});

t.test('one that does not load here is not used', async (t) => {
  const root = checkout(t);
  writeFileSync(join(folderOf(root, process.arch), 'singulate.node'), 'for another machine');
  t.equal(await useReadyMade(root), false);
  t.equal(broughtTo(root), 0);
});

t.test('a build of ones own is not written over', async (t) => {
  const root = checkout(t);
  mkdirSync(join(root, 'out/host'), { recursive: true });
  writeFileSync(join(root, 'out/host/CMakeCache.txt'), '');
  t.equal(await useReadyMade(root), false);
  t.equal(broughtTo(root), 0);
});

t.test('without any it compiles', async (t) => {
  t.equal(await useReadyMade(t.testdir()), false);
});
