/** npm run release, in a small repository of its own with what it reads and writes. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { PACKAGE_ROOT, VERSION } from '../../src/shared/package-info.js';

const PARTS = [
  ...['package.json', 'package-lock.json', 'CHANGELOG.md', 'buf.yaml', 'proto', 'proto-released'],
  ...['toolchain', 'docs', 'src/client-package'],
];
const NEXT = '99.0.0';
/** Every lane, as if it had passed on the last commit. */
const PROVE = `
  const { record } = await import('./toolchain/lanes/proofs.mjs');
  const { LANES } = await import('./toolchain/lanes/table.mjs');
  for (const lane of LANES) await record(lane, 'HEAD', { passed: 1, cpuSeconds: 1, whole: true });
`;

function repository(t: Test) {
  const root = t.testdir();
  for (const part of PARTS) {
    const filter = (path: string) => !path.includes('node_modules');
    cpSync(join(PACKAGE_ROOT, part), join(root, part), { recursive: true, filter });
  }
  symlinkSync(join(PACKAGE_ROOT, 'node_modules'), join(root, 'node_modules'));
  const run = (command: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
    return { status, output: stdout + stderr };
  };
  const git = (...args: string[]) => {
    const { status, output } = run('git', ...args);
    if (status !== 0) throw new Error(output);
    return output.trim();
  };
  const commit = () => {
    git('add', '--all');
    git('commit', '--quiet', '-m', 'as it is');
  };
  git('init', '--quiet');
  git('config', 'user.name', 'a test');
  git('config', 'user.email', 'test@localhost');
  appendFileSync(join(root, '.git/info/exclude'), 'node_modules\n');
  writeFileSync(join(root, 'toolchain/proved.json'), '{}\n');
  commit();
  const release = (...args: string[]) => run(process.execPath, 'toolchain/release.mjs', ...args);
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const change = (path: string, make: (text: string) => string) =>
    writeFileSync(join(root, path), make(read(path)));
  const prove = () => run(process.execPath, '--input-type=module', '-e', PROVE);
  return { git, commit, release, read, change, prove };
}

t.test(
  'a release that may not be is refused with all that is missing, and changes nothing',
  async (t) => {
    const { git, commit, release, change } = repository(t);
    t.match(release(), { status: 1, output: 'version: none given; allowed: three numbers' });
    change('CHANGELOG.md', (text) =>
      text.replace(/(## \[Unreleased\]\n)[\s\S]*?(?=\n## \[)/, '$1'),
    );
    const refused = release(VERSION);
    t.equal(refused.status, 1);
    for (const line of [
      `version: ${VERSION} given; allowed: above ${VERSION}`,
      'files: some are not committed',
      'CHANGELOG.md: nothing stands under [Unreleased]',
      /lanes: not proved whole .*: test, lint, .*npm run test:full -- --record/,
    ]) {
      t.match(refused.output, line);
    }
    commit();
    git('tag', `v${NEXT}`);
    t.match(release(NEXT).output, `tag: v${NEXT} is there`);
    t.equal(git('status', '--porcelain'), '');
  },
);

t.test('a contract that breaks clients is no release, and everything is as it was', async (t) => {
  const { git, commit, release, change, prove } = repository(t);
  change('proto/singulate/radio/v1/radio.proto', (text) =>
    text.replace('LOG_LEVEL_DEBUG = 6;', ''),
  );
  commit();
  prove();
  commit();
  t.match(release(NEXT), { status: 1, output: /contract: [\s\S]*breaks clients/ });
  t.equal(git('status', '--porcelain'), '');
  t.equal(git('tag'), '');
});

t.test('a release has its version in all places, keeps the contract and is tagged', async (t) => {
  const { git, commit, release, read, prove } = repository(t);
  prove();
  commit();
  t.match(release(NEXT), { status: 0, output: 'git push --follow-tags' });
  t.equal(git('describe'), `v${NEXT}`);
  t.equal(git('status', '--porcelain'), '');
  t.equal(JSON.parse(read('package.json')).version, NEXT);
  const lock = JSON.parse(read('package-lock.json'));
  t.strictSame([lock.version, lock.packages[''].version], [NEXT, NEXT]);
  t.match(
    read('CHANGELOG.md'),
    new RegExp(`## \\[Unreleased\\]\\n\\n## \\[${NEXT}\\] - 20\\d\\d-`),
  );
  const contract = 'singulate/radio/v1/radio.proto';
  t.equal(read(`proto-released/${NEXT}/${contract}`), read(`proto/${contract}`));
  t.ok(read(`docs/firmware/yocto/singulate_${NEXT}.bb`));
  const named = `(singulate(-client)?[-_]|VERSION = |client": "\\^)${VERSION.replaceAll('.', '\\.')}`;
  // git grep ends with 1 where it finds nothing.
  t.throws(() => git('grep', '-E', named, '--', 'docs', 'src'), 'no page has the version before');
});
