/**
 * The packages: built for each architecture and looked into, built a second time elsewhere, and
 * installed, used and removed in a clean Debian that is booted with its own systemd. As root.
 * Prints last "N passed, N failed".
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build, ROOT } from './build.mjs';
import { makePackages, PACKAGES, sourceTime } from './package.mjs';
import { HOST } from './packages/architectures.mjs';
import { wrongIn } from './packages/contents.mjs';
import { freshRoot } from './packages/debian-root.mjs';
import { buildElsewhere, differing } from './packages/elsewhere.mjs';
import { useInstalled } from './packages/installed.mjs';
import { run, SetupError } from './steps.mjs';
import { need } from './system.mjs';

const SCRIPTS = [
  ...['postinst', 'prerm', 'postrm'].map((name) => `packaging/debian/${name}`),
  'toolchain/packages/container-init.sh',
];

const counts = { passed: 0, failed: 0 };

/** @param wrong What is wrong; '' or nothing: nothing is. */
function note(name, wrong = '') {
  const text = [wrong].flat().join('\n');
  counts[text === '' ? 'passed' : 'failed']++;
  console.log(`${text === '' ? '✓' : '✗'} ${name}`);
  if (text !== '') console.log(text);
}

const scratch = mkdtempSync(join(tmpdir(), 'singulate-packages-'));
try {
  if (process.getuid() !== 0) throw new SetupError('this takes root: it boots a Debian');
  await need('arm64', 'armv7', 'dpkg-deb', 'debian-root', 'shellcheck');
  await build();
  const { code, output } = await run('shellcheck', SCRIPTS, { cwd: ROOT });
  note('shellcheck finds nothing in the shell scripts', code === 0 ? '' : output);

  const made = await makePackages(['amd64', 'arm64', 'armhf']);
  for (const [architecture, { deb }] of Object.entries(made)) {
    const folder = join(scratch, architecture);
    note(`${basename(deb)}: what belongs in it`, await wrongIn(deb, folder, architecture));
  }

  const elsewhere = join(ROOT, 'out/packages-elsewhere/a-folder-with-a-longer-name');
  const again = await buildElsewhere(ROOT, elsewhere, HOST, await sourceTime());
  const names = Object.values(made[HOST]).map((file) => basename(file));
  const differ = differing(PACKAGES, again, names);
  note(`${names.join(' and ')}: the same bytes from another folder`, differ);

  const root = await freshRoot(join(ROOT, 'out/debian-root'), HOST);
  cpSync(made[HOST].deb, join(root, 'root/singulate.deb'));
  await useInstalled(root, note);
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  note('the packages', error.message);
} finally {
  rmSync(scratch, { recursive: true, force: true });
  rmSync(join(ROOT, 'out/packages-elsewhere'), { recursive: true, force: true });
}
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 ? 1 : 0;
