import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { extract } from 'tar';
import { PACKAGE_ROOT } from '../../src/shared/package-info.js';
import { expectOfClient, make, temporaryFolder } from './oem-client.js';

/** What a stranger's npm would bring along. */
const FROM_REGISTRY = ['@grpc/grpc-js', 'protobufjs', 'long', '@types/node'];

t.test('the client in TypeScript, from the package', async (t) => {
  const script = pathToFileURL(join(PACKAGE_ROOT, 'toolchain/client-package.mjs')).href;
  const { buildClientPackage } = await import(script);
  const archive: string = await buildClientPackage();

  const folder = temporaryFolder(t);
  const modules = join(folder, 'node_modules');
  cpSync(join(PACKAGE_ROOT, 'docs/examples/typescript'), folder, { recursive: true });
  for (const name of FROM_REGISTRY) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(PACKAGE_ROOT, 'node_modules', name), join(modules, name));
  }
  const client = join(modules, '@singulate/client');
  mkdirSync(client, { recursive: true });
  await extract({ file: archive, cwd: client, strip: 1 });

  const compiler = join(PACKAGE_ROOT, 'node_modules/typescript/bin/tsc');
  make(process.execPath, [compiler], { cwd: folder });
  await expectOfClient(t, {
    command: process.execPath,
    args: [join(folder, 'dist/oem-client.js')],
  });
});
