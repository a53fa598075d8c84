/**
 * Keeps the contract as what is released, under the version of package.json: from then on nothing
 * of it may break. Works on the folder that is given, or on the project.
 */
import { cpSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from './build.mjs';
import { checkContract, compareVersions, RELEASED, releases } from './contract-check.mjs';
import { SetupError } from './steps.mjs';

/** What is ours: google/ belongs to others, and is not released here. */
const OURS = 'singulate';

async function release(root) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (!/^\d+\.\d+\.\d+$/.test(version)) {
    throw new SetupError(
      `version "${version}" of package.json: a release is three numbers, as 1.2.3`,
    );
  }
  const last = releases(root).at(-1);
  if (last !== undefined && compareVersions(version, last) <= 0) {
    throw new SetupError(
      `${last} is released already, and stays as it is: raise the version of package.json, which is ${version}`,
    );
  }
  if (!(await checkContract(root))) throw new SetupError('nothing was released');
  const to = join(root, RELEASED, version);
  const making = `${to}.new`;
  rmSync(making, { recursive: true, force: true });
  cpSync(join(root, 'proto', OURS), join(making, OURS), { recursive: true });
  renameSync(making, to);
  console.log(`${RELEASED}/${version} is the contract of ${version}: commit it.`);
}

try {
  await release(resolve(process.argv[2] ?? ROOT));
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.log(error.message);
  process.exitCode = 1;
}
