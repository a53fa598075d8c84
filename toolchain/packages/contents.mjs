/** What is in a .deb: looked at without installing it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, SetupError } from '../steps.mjs';
import { ARCHITECTURES } from './architectures.mjs';
import { machineOf } from './elf.mjs';
import { LAUNCHER } from './stage.mjs';

/** Of a whole package; ours has about 3 MB. */
const MOST_BYTES = 6_000_000;
const EXAMPLES = /^usr\/(lib\/singulate\/docs|share\/doc\/singulate)\/examples\//;

/** @param folder Is filled with the package. @returns What is wrong, one line each. */
export async function wrongIn(deb, folder, architecture) {
  const wrong = [];
  const info = await dpkgDeb('--field', deb);
  for (const line of [
    `Architecture: ${architecture}`,
    'Package: singulate',
    /^Depends: .*nodejs \(>= 20\.17\), nodejs \(<< 21\).*libc6 \(>= 2\.\d+\)/m,
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
  for (const unwanted of [/\.map$/, /\.d\.[cm]?ts$/, /\.cpp$/, /(^|\/)dist\/test\//]) {
    const first = running.find((file) => unwanted.test(file));
    if (first !== undefined) wrong.push(`${first} is not needed by anything that runs`);
  }
  for (const page of ['sbom.cdx.json', 'SECURITY.md', 'copyright']) {
    if (!files.includes(`usr/share/doc/singulate/${page}`))
      wrong.push(`no ${page} in its documents`);
  }
  const native = files.filter((file) => file.endsWith('.node') || file.endsWith(`/${LAUNCHER}`));
  for (const part of [
    'singulate/singulate.node',
    `singulate/${LAUNCHER}`,
    '@serialport/bindings-cpp',
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
