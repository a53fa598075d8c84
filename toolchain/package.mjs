/**
 * `npm run package [-- amd64 arm64 armhf]`: out/packages/ gets a .deb and a .tar.gz for each
 * architecture, the ready-made addons of all, and the bill of materials; without arguments for all
 * whose compiler is here.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, ROOT } from './build.mjs';
import { crossBuild } from './cross-build.mjs';
import { ARCHITECTURES, HOST } from './packages/architectures.mjs';
import { checkVersion, writePackages } from './packages/deb.mjs';
import { sbomText } from './packages/sbom.mjs';
import { PROGRAM, stage } from './packages/stage.mjs';
import { writeReadyMade } from './ready-made.mjs';
import { run, SetupError } from './steps.mjs';
import { has, need } from './system.mjs';
import { TARGETS } from './targets.mjs';

export const PACKAGES = join(ROOT, 'out/packages');
const READY = join(ROOT, 'out/ready-made');

/** @returns The files that were written, by architecture. */
export async function makePackages(architectures) {
  await need('dpkg-deb', ...architectures.map((name) => toolOf(name)));
  await build();
  const version = checkVersion(
    JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version,
  );
  const epoch = await sourceTime();
  const made = {};
  rmSync(READY, { recursive: true, force: true });
  for (const architecture of architectures) {
    await buildAddon(architecture);
    const tree = join(ROOT, 'out/package-tree', architecture);
    await stage(ROOT, tree, architecture);
    made[architecture] = await writePackages({
      ...{ root: ROOT, tree, out: PACKAGES, version, architecture, epoch },
    });
    const { node } = ARCHITECTURES[architecture];
    writeReadyMade({ root: ROOT, to: READY, machine: node, built: join(tree, PROGRAM) });
  }
  await packReadyMade(join(PACKAGES, `singulate-${version}-prebuilds.tar.gz`), epoch);
  writeFileSync(join(PACKAGES, `singulate-${version}.cdx.json`), sbomText(ROOT));
  return made;
}

/** Of all architectures in one, to be unpacked in a checkout of the same sources. */
async function packReadyMade(file, epoch) {
  // One of npm's packages, which may have been fetched just now.
  const { create } = await import('tar');
  const options = { cwd: READY, file, gzip: { level: 9 }, portable: true };
  await create({ ...options, mtime: new Date(epoch * 1000) }, ['prebuilds']);
}

/** Architectures whose packages this machine can build. */
export function buildable() {
  const crossed = Object.values(TARGETS).map(({ debian }) => debian);
  return Object.keys(ARCHITECTURES).filter(
    (name) => name === HOST || (crossed.includes(name) && has(toolOf(name))),
  );
}

function toolOf(architecture) {
  return architecture === HOST ? 'compiler' : ARCHITECTURES[architecture].tool;
}

async function buildAddon(architecture) {
  if (architecture === HOST) return;
  const { preset } = ARCHITECTURES[architecture];
  const target = Object.values(TARGETS).find((each) => each.preset === preset);
  if (target === undefined) {
    throw new SetupError(`packages for ${architecture} are built on such a machine only`);
  }
  await crossBuild(target, 'singulate');
}

/** Seconds: of SOURCE_DATE_EPOCH, else of the last commit. */
export async function sourceTime() {
  const given = process.env.SOURCE_DATE_EPOCH;
  if (given !== undefined) {
    if (!/^\d{1,12}$/.test(given)) {
      throw new SetupError(`SOURCE_DATE_EPOCH: ${given} given; allowed: seconds since 1970`);
    }
    return Number(given);
  }
  const { code, output } = await run('git', ['log', '-1', '--format=%ct'], { cwd: ROOT });
  if (code !== 0) {
    throw new SetupError('not a git checkout: say the time of the sources as SOURCE_DATE_EPOCH');
  }
  return Number(output);
}

async function main(args) {
  const unknown = args.find((name) => !(name in ARCHITECTURES));
  if (unknown !== undefined) {
    const allowed = Object.keys(ARCHITECTURES).join(', ');
    throw new SetupError(`architecture: ${unknown} given; allowed: ${allowed}`);
  }
  const made = await makePackages(args.length > 0 ? args : buildable());
  for (const { deb, tarball } of Object.values(made)) console.log(`${deb}\n${tarball}`);
}

if (import.meta.filename === process.argv[1]) {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`singulate: ${error.message}\n`);
    process.exitCode = 1;
  }
}
