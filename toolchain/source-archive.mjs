/**
 * `npm run build:source [-- FOLDER]`: singulate-VERSION-source.tar.gz in FOLDER, else in out/, which firmware builds (Yocto,
 * Buildroot, an own toolchain) start from. Everything that needs npm or TypeScript is done in it:
 * the services are compiled, the npm packages that they need lie in it as locked. What is left is
 * the addon, with CMake and without a network. The same sources give the same bytes.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { create } from 'tar';
import { build, ROOT } from './build.mjs';
import { lockedPackages } from './packages/locked.mjs';
import { SetupError } from './steps.mjs';

const FILES = [
  'package.json',
  'package-lock.json',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'CMakeLists.txt',
  'binding.gyp',
  'native',
  'proto',
  'docs',
  'dist/src',
];
/** What the builds of the addon take from there. */
const TOOLCHAIN = /\.cmake$|^hardening\.mjs$/;
/** Of the sources of the services: data that they read, and no code. */
const isData = (name) => !name.endsWith('.ts');
/** No time is in it. */
const MTIME = new Date(0);

function under(folder, wanted = () => true) {
  return readdirSync(join(ROOT, folder), { recursive: true })
    .filter(wanted)
    .map((name) => join(folder, name));
}

/** The folders of the packages that run on a device. */
function packages() {
  return lockedPackages(ROOT)
    .map(({ path }) => path)
    .filter((path) => statSync(join(ROOT, path), { throwIfNoEntry: false }) !== undefined);
}

/** All of a package but the packages within, which the lock names by themselves. */
function filesOf(path) {
  return under(path, (name) => !name.split('/').includes('node_modules'));
}

function isFile(path) {
  return statSync(join(ROOT, path)).isFile();
}

function contents() {
  const listed = FILES.flatMap((path) => (isFile(path) ? [path] : under(path)));
  const all = [
    ...listed.filter((path) => !path.endsWith('.map') && !path.includes('.tsbuildinfo')),
    ...under('toolchain', (name) => TOOLCHAIN.test(name)),
    ...under('src', isData),
    ...packages().flatMap(filesOf),
  ];
  return [...new Set(all.filter(isFile))].sort();
}

async function main() {
  await build();
  const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const stem = `${name}-${version}`;
  const folder = resolve(process.argv[2] ?? join(ROOT, 'out'));
  const file = join(folder, `${stem}-source.tar.gz`);
  const files = contents();
  const options = { cwd: ROOT, file, gzip: { level: 9 }, portable: true, mtime: MTIME };
  await create({ ...options, prefix: stem, noDirRecurse: true, follow: true }, files);
  const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
  writeFileSync(`${file}.sha256`, `${hash}  ${stem}-source.tar.gz\n`);
  const megabytes = (statSync(file).size / 1e6).toFixed(1);
  console.log(`${file}: ${files.length} files, ${megabytes} MB, sha256 ${hash}`);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`singulate: ${error.message}`);
  process.exitCode = 1;
}
