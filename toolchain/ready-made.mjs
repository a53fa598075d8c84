/**
 * Ready-made addons: prebuilds/linux-ARCH/ of a checkout (of a release's singulate-VERSION-prebuilds.tar.gz,
 * unpacked there; git has none) holds the addon and the launcher for a machine, and the hash of the
 * sources that they were made from. Where it is the hash of the sources here, nothing is compiled.
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { run } from './steps.mjs';

/** What the addon is made from. */
export const NATIVE_INPUTS = [
  'native',
  'CMakeLists.txt',
  'CMakePresets.json',
  'toolchain/hardening.cmake',
  'toolchain/hardening.mjs',
];
export const FILES = ['singulate.node', 'singulate-launch'];
const HASH = 'sources.sha256';
/** As of a build here; `build` takes them from there. */
const TO = 'out/host';
/** A build with tools of one's own stays what it is. */
const OWN_BUILD = join(TO, 'CMakeCache.txt');

/** @param machine Its name in Node.js: x64, arm64 or arm. */
export function folderOf(root, machine) {
  return join(root, 'prebuilds', `linux-${machine}`);
}

/** @returns The hash over names and contents of all that the addon is made from. */
export function sourcesHash(root) {
  const hash = createHash('sha256');
  const add = (path) => {
    const full = join(root, path);
    if (!existsSync(full)) return;
    if (statSync(full).isDirectory()) {
      for (const name of readdirSync(full).sort()) add(`${path}/${name}`);
    } else {
      hash.update(`${path}\0`).update(readFileSync(full)).update('\0');
    }
  };
  for (const path of NATIVE_INPUTS) add(path);
  return hash.digest('hex');
}

/**
 * Makes the folder of a machine below `to`, from stripped files.
 * @param root Whose sources they were made from.
 * @param built The folder that they lie in.
 */
export function writeReadyMade({ root, to, machine, built }) {
  const folder = folderOf(to, machine);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  for (const name of FILES) {
    copyFileSync(join(built, name), join(folder, name));
    chmodSync(join(folder, name), 0o755);
  }
  writeFileSync(join(folder, HASH), `${sourcesHash(root)}\n`, { mode: 0o644 });
}

/**
 * Puts the ready-made addon for this machine where a build would.
 * @returns Whether that could be done: it is there, of these sources, and loads.
 */
export async function useReadyMade(root) {
  const folder = folderOf(root, process.arch);
  if (process.platform !== 'linux' || existsSync(join(root, OWN_BUILD))) return false;
  if (![HASH, ...FILES].every((name) => existsSync(join(folder, name)))) return false;
  if (readFileSync(join(folder, HASH), 'utf8').trim() !== sourcesHash(root)) {
    return no(folder, 'it was made from other sources');
  }
  // An older system may lack what it was linked with.
  const load = ['-e', 'require(process.argv[1])', join(folder, FILES[0])];
  const { code, output } = await run(process.execPath, load);
  if (code !== 0) return no(folder, /Error: .*/.exec(output)?.[0] ?? 'it does not load');
  mkdirSync(join(root, TO), { recursive: true });
  for (const name of FILES) copyFileSync(join(folder, name), join(root, TO, name));
  process.stderr.write(`✓ the native core, ready-made: ${folder}\n`);
  return true;
}

function no(folder, why) {
  process.stderr.write(`· the native core is compiled: ${folder} is not used, as ${why}\n`);
  return false;
}
