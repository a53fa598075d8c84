import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';
import { expectTags, startRadioControl } from '../oem/radio-control.js';

t.test('the Python example starts an inventory and prints tags', async (t) => {
  const radio = await startRadioControl(t);
  const stubs = mkdtempSync(join(tmpdir(), 'singulate-stubs-'));
  t.teardown(() => rmSync(stubs, { recursive: true }));
  execFileSync('protoc', [
    ...['-I', join(PACKAGE_ROOT, 'proto'), `--python_out=${stubs}`, `--grpc_python_out=${stubs}`],
    '--plugin=protoc-gen-grpc_python=/usr/bin/grpc_python_plugin',
    'singulate/radio/v1/radio.proto',
  ]);
  await expectTags(
    t,
    '/usr/bin/python3',
    [join(PACKAGE_ROOT, 'docs/examples/oem_client.py'), radio.target],
    { PYTHONPATH: stubs },
  );
});
