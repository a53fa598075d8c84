import { join } from 'node:path';
import t from 'tap';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';
import { expectOfClient, make, temporaryFolder } from './oem-client.js';

t.test('the client in Python', async (t) => {
  const stubs = temporaryFolder(t);
  make('protoc', [
    ...['-I', join(PACKAGE_ROOT, 'proto'), `--python_out=${stubs}`, `--grpc_python_out=${stubs}`],
    '--plugin=protoc-gen-grpc_python=/usr/bin/grpc_python_plugin',
    'singulate/radio/v1/radio.proto',
  ]);
  await expectOfClient(t, {
    command: '/usr/bin/python3',
    args: [join(PACKAGE_ROOT, 'docs/examples/python/oem_client.py')],
    env: { PYTHONPATH: stubs },
  });
});
