/**
 * `npm run release -- VERSION`: checks that what is checked out may be a release, then writes the version
 * into all places, keeps the contract, commits and tags. Pushes nothing. Refuses with a line for each
 * thing that is missing, and has then changed nothing.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './build.mjs';
import { compareVersions, RELEASED } from './contract-check.mjs';
import { proofOf } from './lanes/proofs.mjs';
import { LANES } from './lanes/table.mjs';
import { run, SetupError } from './steps.mjs';

/** Pages and examples that name files or packages with the version. */
const NAMED = [
  'docs/examples/typescript/README.md',
  'docs/examples/typescript/package.json',
  'docs/firmware.md',
  'docs/firmware/buildroot/package/singulate/singulate.mk',
  'docs/oem.md',
  'docs/packages.md',
  'src/client-package/README.md',
];
const recipe = (version) => `docs/firmware/yocto/singulate_${version}.bb`;
const CHANGES = 'CHANGELOG.md';
const UNRELEASED = '## [Unreleased]\n';

const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const write = (path, text) => writeFileSync(join(ROOT, path), text);

async function git(...args) {
  const { code, output } = await run('git', args, { cwd: ROOT });
  if (code !== 0) throw new SetupError(`git ${args[0]}: ${output.trim()}`);
  return output.trim();
}

/** @returns Why this cannot be that release, a line each. */
async function missing(version, before) {
  const lines = [];
  if (compareVersions(version, before) <= 0) {
    lines.push(`version: ${version} given; allowed: above ${before}, which package.json has`);
  }
  if ((await git('tag', '--list', `v${version}`)) !== '') lines.push(`tag: v${version} is there`);
  if ((await git('status', '--porcelain')) !== '') lines.push('files: some are not committed');
  const [, changes] = read(CHANGES).split(UNRELEASED);
  if (!/^- /m.test(changes?.split('\n## ')[0] ?? '')) {
    lines.push(`${CHANGES}: nothing stands under [Unreleased]`);
  }
  const commit = await git('rev-parse', 'HEAD');
  const unproved = [];
  for (const lane of LANES) {
    if ((await proofOf(lane, commit))?.whole !== true) unproved.push(lane.name);
  }
  if (unproved.length > 0) {
    lines.push(
      `lanes: not proved whole on what they depend on now: ${unproved.join(', ')}; ` +
        'run npm run test:full -- --record, and commit toolchain/proved.json',
    );
  }
  return lines;
}

async function writeVersion(version, before) {
  for (const path of ['package.json', 'package-lock.json']) {
    const json = JSON.parse(read(path));
    json.version = version;
    if (json.packages !== undefined) json.packages[''].version = version;
    write(path, `${JSON.stringify(json, null, 2)}\n`);
  }
  for (const path of NAMED) write(path, read(path).replaceAll(before, version));
  renameSync(join(ROOT, recipe(before)), join(ROOT, recipe(version)));
  const date = new Date().toISOString().slice(0, 10);
  write(CHANGES, read(CHANGES).replace(UNRELEASED, `${UNRELEASED}\n## [${version}] - ${date}\n`));
  const script = join(ROOT, 'toolchain/contract-release.mjs');
  const { code, output } = await run(process.execPath, [script], { cwd: ROOT });
  if (code !== 0) throw new SetupError(`contract: ${output.trim()}`);
}

/** As it was: nothing was there that is not in the commit. */
async function takeBack(version) {
  for (const path of [recipe(version), join(RELEASED, version), join(RELEASED, `${version}.new`)]) {
    rmSync(join(ROOT, path), { recursive: true, force: true });
  }
  await git('reset', '--hard', '--quiet', 'HEAD');
}

async function release(version = '') {
  if (!/^\d+\.\d+\.\d+$/.test(version)) {
    throw new SetupError(`version: ${version || 'none'} given; allowed: three numbers, as 1.2.3`);
  }
  const { version: before } = JSON.parse(read('package.json'));
  const lines = await missing(version, before);
  if (lines.length > 0) throw new SetupError(`no release of ${version}:\n${lines.join('\n')}`);
  try {
    await writeVersion(version, before);
    await git('add', '--all');
    await git('commit', '--quiet', '-m', `Version ${version}`);
  } catch (error) {
    await takeBack(version);
    throw error;
  }
  await git('tag', '--annotate', `v${version}`, '-m', `Version ${version}`);
  console.log(`v${version} is committed and tagged. To publish: git push --follow-tags`);
}

try {
  await release(process.argv[2]);
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`singulate: ${error.message}\n`);
  process.exitCode = 1;
}
