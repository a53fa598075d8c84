/** What is in a .deb: looked at without installing it. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BROUGHT } from '../node-lines.mjs';
import { run, SetupError } from '../steps.mjs';
import { ARCHITECTURES } from './architectures.mjs';
import { machineOf } from './elf.mjs';
import { isNative, LAUNCHER, NODE } from './stage.mjs';

/** Of a whole package; about 3 MB are ours, the rest Node.js. */
const MOST_BYTES = 45_000_000;
const EXAMPLES = /^usr\/(lib\/singulate\/docs|share\/doc\/singulate)\/examples\//;

/** @param folder Is filled with the package. @returns What is wrong, one line each. */
export async function wrongIn(deb, folder, architecture) {
  const wrong = [];
  const bringsNode = ARCHITECTURES[architecture].node in BROUGHT.programs;
  const info = await dpkgDeb('--field', deb);
  for (const line of [
    `Architecture: ${architecture}`,
    'Package: singulate',
    bringsNode
      ? /^Depends: libatomic1, .*libc6 \(>= 2\.\d+\)/m
      : /^Depends: nodejs \(>= 20\.17\), /m,
  ]) {
    if (!(line instanceof RegExp ? line.test(info) : info.includes(line))) {
      wrong.push(`its control file lacks ${line}`);
    }
  }
  const bytes = readFileSync(deb).length;
  if (bytes > MOST_BYTES) wrong.push(`${bytes} bytes, more than ${MOST_BYTES}`);

  for (const line of (await dpkgDeb('--contents', deb)).trim().split('\n')) {
    const [mode, owner, , , , path] = line.split(/\s+/);
    if (owner !== 'root/root') wrong.push(`${path} belongs to ${owner}`);
    if (!/^(drwxr-xr-x|-rwxr-xr-x|-rw-r--r--|lrwxrwxrwx)$/.test(mode)) {
      wrong.push(`${path} has the mode ${mode}`);
    }
  }

  await dpkgDeb('--extract', deb, folder);
  const files = readdirSync(folder, { recursive: true }).map(String);
  // Examples are to be read, where the pages have them and where Debian looks for them.
  const running = files.filter((file) => !EXAMPLES.test(file));
  for (const unwanted of [
    /\.map$/,
    /\.d\.[cm]?ts$/,
    /\.cpp$/,
    /(^|\/)dist\/test\//,
    /bundle\/code\//,
  ]) {
    const first = running.find((file) => unwanted.test(file));
    if (first !== undefined) wrong.push(`${first} is not needed by anything that runs`);
  }
  for (const page of ['sbom.cdx.json', 'SECURITY.md', 'copyright']) {
    if (!files.includes(`usr/share/doc/singulate/${page}`))
      wrong.push(`no ${page} in its documents`);
  }
  const native = files.filter(
    (file) => isNative(file) && !lstatSync(join(folder, file)).isSymbolicLink(),
  );
  for (const part of [
    'singulate/singulate.node',
    `singulate/${LAUNCHER}`,
    '@serialport/bindings-cpp',
    ...(bringsNode ? [`singulate/${NODE}`] : []),
  ]) {
    if (!native.some((file) => file.includes(part))) wrong.push(`no native ${part}`);
  }
  for (const file of native) {
    const machine = await machineOf(join(folder, file));
    if (machine !== ARCHITECTURES[architecture].machine) wrong.push(`${file} is for ${machine}`);
  }
  return wrong;
}

async function dpkgDeb(...args) {
  const { code, output } = await run('dpkg-deb', args, { env: { ...process.env, LC_ALL: 'C' } });
  if (code !== 0) throw new SetupError(`dpkg-deb ${args[0]} failed: ${output}`);
  return output;
}
