/** A clean minimal Debian with systemd, made once and kept in out/. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run, SetupError, step } from '../steps.mjs';

const SUITE = 'trixie';
const SYSTEM = ['systemd', 'systemd-sysv', 'dbus', 'polkitd'];
/** What apt will ask for is in its cache: the booted system has no network, and no Node.js. */
const IN_CACHE = ['libatomic1', 'libstdc++6', 'libgcc-s1'];

/** Unpacks a new one. @returns Its folder. */
export async function freshRoot(out, architecture) {
  const tarball = join(out, `${SUITE}-${architecture}.tar`);
  if (!existsSync(tarball)) await makeRoot(tarball, architecture);
  const root = join(out, 'root');
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  await step('unpacking it', 'tar', ['-C', root, '--numeric-owner', '-xpf', tarball]);
  return root;
}

async function makeRoot(tarball, architecture) {
  mkdirSync(join(tarball, '..'), { recursive: true });
  const download = `chroot "$1" apt-get install --download-only --yes --quiet ${IN_CACHE.join(' ')}`;
  await step(`a minimal Debian ${SUITE}`, 'mmdebstrap', [
    '--variant=minbase',
    `--architectures=${architecture}`,
    `--include=${SYSTEM.join(',')}`,
    '--aptopt=APT::Install-Recommends "false"',
    '--skip=cleanup/apt/lists,cleanup/apt/cache',
    `--customize-hook=${download}`,
    SUITE,
    // Renamed when it is whole.
    `${tarball}.new.tar`,
    await mirror(),
  ]);
  renameSync(`${tarball}.new.tar`, tarball);
}

/** Where this machine has its own Debian packages from. */
async function mirror() {
  const format = ['--format', '$(REPO_URI)'];
  const { code, output } = await run('apt-get', ['indextargets', ...format, 'Component: main']);
  const uris = code === 0 ? output.split('\n').filter((uri) => /\/debian\/?$/.test(uri)) : [];
  if (uris.length === 0) {
    throw new SetupError('the apt sources of this machine name no mirror of Debian');
  }
  return uris[0];
}
