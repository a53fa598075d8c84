/** What a native file needs of the system it runs on. */
import { run, SetupError } from '../steps.mjs';

/** Releases of GCC by the newest version of the C++ library's symbols that came with them. */
const GCC_OF_GLIBCXX = { 26: 9, 28: 10, 29: 11, 30: 12, 31: 13, 32: 13, 33: 14, 34: 15 };

export async function machineOf(file) {
  const header = await readelf('-h', file);
  return /Machine:\s+(.+)/.exec(header)?.[1].trim();
}

/** The Debian packages with the libraries of these files, as `Depends` says them. */
export async function librariesOf(files) {
  let glibc = 0;
  let glibcxx = 0;
  for (const file of files) {
    const versions = await readelf('-V', file);
    for (const [, minor] of versions.matchAll(/\bGLIBC_2\.(\d+)/g)) {
      glibc = Math.max(glibc, Number(minor));
    }
    for (const [, minor] of versions.matchAll(/\bGLIBCXX_3\.4\.(\d+)/g)) {
      glibcxx = Math.max(glibcxx, Number(minor));
    }
  }
  const known = Object.keys(GCC_OF_GLIBCXX).map(Number);
  const least = known.find((minor) => minor >= glibcxx);
  if (least === undefined) throw new SetupError(`no GCC is known for GLIBCXX_3.4.${glibcxx}`);
  return [`libc6 (>= 2.${glibc})`, `libstdc++6 (>= ${GCC_OF_GLIBCXX[least]})`, 'libgcc-s1'];
}

async function readelf(option, file) {
  const env = { ...process.env, LC_ALL: 'C' };
  const { code, output } = await run('readelf', ['-W', option, file], { env });
  if (code !== 0) throw new SetupError(`readelf ${option} ${file} failed: ${output}`);
  return output;
}
