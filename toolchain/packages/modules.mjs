/** The npm packages that the services need while they run, taken from what is installed as locked. */
import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SetupError } from '../steps.mjs';
import { lockedPackages } from './locked.mjs';

/** Only for compilers. */
const UNNEEDED_PACKAGES = /(^|\/)node_modules\/(@types\/[^/]+|node-addon-api)$/;

/** Only for people who develop with a package; licences are kept whatever their name. */
const UNNEEDED_FILES =
  /(\.map|\.d\.[cm]?ts|\.[cm]?ts|\.tsbuildinfo|\.flow|\.md|\.markdown|\.gyp|\.gypi|\.cpp|\.cc|\.h|\.yml|\.yaml)$/i;
const UNNEEDED_NAMES = /^(\..*|tests?|__tests__|examples?|benchmarks?|coverage|tsconfig.*\.json)$/i;
const LICENCES = /^(licen[cs]e|copying|notice)/i;

/** Whole bundles for browsers, or for other ways of loading, of packages that have both. */
const UNNEEDED_PATHS = [
  /^swagger-ui-dist\/(?!package\.json$|swagger-ui\.css$|swagger-ui-bundle\.js)/,
  /^mqtt\/dist(\/|$)/,
  /^protobufjs\/(dist|cli|scripts)(\/|$)/,
  /^node-forge\/(dist|flash)(\/|$)/,
  /^@sinclair\/typebox\/build\/cjs(\/|$)/,
  /^ajv\/lib(\/|$)/,
  /^tar\/dist\/commonjs(\/|$)/,
  /^@grpc\/grpc-js\/src(\/|$)/,
  /^@serialport\/bindings-cpp\/(src|prebuilds)(\/|$)/,
];

/** Packages of the lock file that run on a device: `{path, version, license, ...}`. */
export function productionPackages(root) {
  return lockedPackages(root).filter(({ path }) => !UNNEEDED_PACKAGES.test(path));
}

/** Copies them into `to`/node_modules, without what nobody reads while they run. */
export function copyPackages(root, to, { prebuild }) {
  for (const { path, version, optional } of productionPackages(root)) {
    const from = join(root, path);
    if (!existsSync(from)) {
      if (optional && !isForHere(path)) continue;
      throw new SetupError(`${path} of package-lock.json is not installed; run: npm ci`);
    }
    const installed = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')).version;
    if (installed !== version) {
      throw new SetupError(`${path} is ${installed}, locked is ${version}; run: npm ci`);
    }
    copyPackage(from, join(to, path), path.slice(path.lastIndexOf('node_modules/') + 13));
  }
  const prebuilds = 'node_modules/@serialport/bindings-cpp/prebuilds';
  cpSync(join(root, prebuilds, prebuild), join(to, prebuilds, prebuild));
}

/** Optional packages that the code asks for by name must be in a package all the same. */
function isForHere(path) {
  return path === 'node_modules/serialport' || path.startsWith('node_modules/@serialport/');
}

function copyPackage(from, to, name, inside = '') {
  for (const entry of readdirSync(join(from, inside)).sort()) {
    const path = inside === '' ? entry : `${inside}/${entry}`;
    if (path === 'node_modules' || !isNeeded(name, path)) continue;
    if (statSync(join(from, path)).isDirectory()) copyPackage(from, to, name, path);
    else cpSync(join(from, path), join(to, path));
  }
}

function isNeeded(name, path) {
  const file = basename(path);
  if (LICENCES.test(file)) return true;
  return !(
    UNNEEDED_FILES.test(file) ||
    UNNEEDED_NAMES.test(file) ||
    UNNEEDED_PATHS.some((pattern) => pattern.test(`${name}/${path}`))
  );
}
