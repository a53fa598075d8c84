import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';
import { expectOfClient, make } from './oem-client.js';

t.test('the client in C++', async (t) => {
  // Kept in `out`, as other builds are: only what changed is compiled again.
  const folder = join(PACKAGE_ROOT, 'out/oem-cpp');
  const source = join(PACKAGE_ROOT, 'docs/examples/cpp');
  const cmake = (...args: string[]) => make('cmake', args);
  cmake('-S', source, '-B', folder, '-DCMAKE_BUILD_TYPE=Debug', '-DCMAKE_CXX_FLAGS=-Werror');
  cmake('--build', folder, '-j', String(availableParallelism()));
  await expectOfClient(t, { command: join(folder, 'oem-client'), args: [] });
});
