/**
 * Debian's own Node.js for another machine, with the libraries it runs on, unpacked into a
 * folder of out/ that it stays in. An apt state of its own beside it: signed by Debian's key, from
 * the mirror that this system uses, and nothing of the system's own apt is touched. Needs no root.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './build.mjs';
import { run, SetupError, step } from './steps.mjs';

/** Releases with a Node.js that runs this, the first that can be had: an index of a mirror is out of step now and then. */
const RELEASES = ['trixie', 'forky'];
const PACKAGES = ['nodejs', 'libstdc++6', 'libc6'];
const KEYS = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Those of the system's own apt, in its order. */
async function mirrors() {
  const { code, output } = await run('apt-get', ['update', '--print-uris']);
  if (code !== 0 || !existsSync(KEYS)) {
    throw new SetupError(
      'the emulated Node.js comes from Debian: apt-get and the package debian-archive-keyring are needed',
    );
  }
  const repository = /^'(.+?)\/*\/dists\/[^/']+\/(?:InRelease|Release)' /gm;
  const found = [...output.matchAll(repository)].map(([, address]) => address);
  const mirrors = [...new Set(found)].filter((address) => !address.endsWith('-security'));
  if (mirrors.length === 0) throw new SetupError('apt of this system is set up for no mirror');
  return mirrors;
}

function aptState(folder, architecture, mirror, release) {
  rmSync(folder, { recursive: true, force: true });
  for (const path of ['lists/partial', 'cache/archives/partial']) {
    mkdirSync(join(folder, path), { recursive: true });
  }
  writeFileSync(join(folder, 'status'), '');
  writeFileSync(
    join(folder, 'sources.list'),
    `deb [signed-by=${KEYS}] ${mirror} ${release} main\n`,
  );
  const settings = {
    'Dir::Etc::SourceList': join(folder, 'sources.list'),
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::Etc::Preferences': '/dev/null',
    'Dir::Etc::PreferencesParts': '/dev/null',
    'Dir::State::Lists': join(folder, 'lists'),
    'Dir::State::status': join(folder, 'status'),
    'Dir::Cache': join(folder, 'cache'),
    'APT::Architecture': architecture,
    'APT::Architectures': architecture,
    'APT::Install-Recommends': 'false',
    'APT::Update::Post-Invoke-Success': '',
    // The folder may be one that the user for downloads cannot enter.
    'APT::Sandbox::User': '',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
}

async function download(state, architecture) {
  const failures = [];
  const all = await mirrors();
  const sources = RELEASES.flatMap((release) => all.map((mirror) => ({ mirror, release })));
  for (const { mirror, release } of sources) {
    const options = ['-q', '-y', ...aptState(state, architecture, mirror, release)];
    const update = await run('apt-get', [...options, '--error-on=any', 'update']);
    if (update.code === 0) {
      await step(
        `downloading the Node.js of Debian ${release} for ${architecture}`,
        'apt-get',
        [...options, '--download-only', 'install', ...PACKAGES],
        { cwd: ROOT },
      );
      return join(state, 'cache/archives');
    }
    failures.push(`${mirror} ${release}: ${update.output.slice(-500)}`);
  }
  throw new SetupError(`no mirror of this system has Debian's Node.js: ${failures.join('; ')}`);
}

/** @returns the folder that stands for `/` of the other machine. */
export async function debianNode({ debian: architecture, title }) {
  const folder = join(ROOT, 'out', `debian-${architecture}`);
  const root = join(folder, 'root');
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return root;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  const state = join(folder, 'apt');
  const archives = await download(state, architecture);
  for (const name of readdirSync(archives).filter((file) => file.endsWith('.deb'))) {
    const { code, output } = await run('dpkg-deb', ['-x', join(archives, name), root]);
    if (code !== 0) throw new SetupError(`${name} for ${title} does not unpack: ${output}`);
  }
  // The link is of the package base-files, which nothing else here is needed of.
  if (!existsSync(join(root, 'lib'))) symlinkSync('usr/lib', join(root, 'lib'));
  rmSync(state, { recursive: true });
  writeFileSync(complete, '');
  return root;
}
