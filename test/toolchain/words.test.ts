import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import t from 'tap';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';

function check(root: string) {
  const script = join(PACKAGE_ROOT, 'toolchain/words.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' });
  return { status, stderr };
}

t.test('a private word fails the lint, with its place and what to write instead', async (t) => {
  const root = t.testdir({
    'README.md': 'Fine.\nThe service starts anew.\nCanew, renewed, errandless: other words.\n',
    docs: { 'errand-list.md': '' },
    native: { 'x.cpp': 'struct TagErrand;\n// Whoever asks.\nint errand_count = 0;\n' },
    'image.png': 'anew\0',
  });
  const init = spawnSync('git', ['init', '-q', root], { encoding: 'utf8' });
  t.equal(init.status, 0, init.stderr);
  const { status, stderr } = check(root);
  t.equal(status, 1);
  const errand = '"errand"; write: access request, or what else is asked for';
  t.strictSame(stderr.trim().split('\n').sort(), [
    'README.md:2: "anew"; write: again',
    `docs/errand-list.md: ${errand}`,
    `native/x.cpp:1: ${errand}`,
    'native/x.cpp:2: "whoever"; write: who, no matter who, or the client or process that is meant',
    `native/x.cpp:3: ${errand}`,
  ]);
});
