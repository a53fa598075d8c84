import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import t from 'tap';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';

function check(root: string) {
  const script = join(PACKAGE_ROOT, 'toolchain/layers.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' });
  return { status, stderr };
}

t.test('the project itself keeps to its layers', async (t) => {
  t.strictSame(check(PACKAGE_ROOT), { status: 0, stderr: '' });
});

t.test('an import against the layering fails the lint and is named', async (t) => {
  const root = t.testdir({
    src: {
      shared: { 'log.ts': "import { start } from '../cli/main.js';\n" },
      cli: { 'main.ts': "import '../shared/log.js';\n" },
      'reader-gateway': { 'x.ts': "import { Radio } from '../radio-control/addon/addon.js';\n" },
      'radio-control': {
        'y.ts': "const koa = await import('koa');\n",
        addon: { 'addon.ts': '' },
      },
      stray: { 'z.ts': '' },
    },
    native: {
      gen2: { 'crc.cpp': '#include "radio/radio_module.h"\n' },
      radio: { 'radio_module.h': '#include "gen2/crc.h"\n' },
    },
  });
  const { status, stderr } = check(root);
  t.equal(status, 1);
  t.strictSame(stderr.trim().split('\n').sort(), [
    'native/gen2/crc.cpp: native/gen2 must not import native/radio/radio_module.h (allowed: nothing)',
    'src/radio-control/y.ts: src/radio-control must never import koa',
    'src/reader-gateway/x.ts: only src/radio-control may import src/radio-control/addon',
    'src/shared/log.ts: src/shared must not import src/cli/main.js (allowed: nothing)',
    'src/stray/z.ts: lies in no room of toolchain/layers.json',
  ]);
});
