/**
 * `npm run build:client`: the package @singulate/client for programs that use a reader from Node.js,
 * as out/client/singulate-client-VERSION.tgz. It holds what src/client-package/index.ts exports, and
 * the proto.
 */
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bin, build, ROOT } from './build.mjs';
import { SetupError, step } from './steps.mjs';

const OUT = join(ROOT, 'out/client');
const GENERATED = 'contract/generated';

/** What the compiled code imports; `long` by the types of the generated code. */
const DEPENDENCIES = ['@grpc/grpc-js', 'long', 'protobufjs'];

/** @returns the path of the package. The contract's code must be generated already. */
export async function buildClientPackage() {
  const { version, license, packages } = facts();
  const folder = join(OUT, 'package');
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await step('compiling the client package', bin('tsc'), ['-p', 'src/client-package'], {
    cwd: ROOT,
  });
  cpSync(join(ROOT, 'src', GENERATED), join(folder, 'lib', GENERATED), {
    recursive: true,
    filter: (path) => !path.endsWith('.stamp'),
  });
  cpSync(join(ROOT, 'proto'), join(folder, 'proto'), { recursive: true });
  copyFileSync(join(ROOT, 'src/client-package/README.md'), join(folder, 'README.md'));
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  const manifest = {
    name: '@singulate/client',
    version,
    description: 'Reads, control and access of a Singulate RFID reader over gRPC',
    license,
    type: 'module',
    engines: { node: '>=20.17' },
    exports: {
      '.': { types: './lib/client-package/index.d.ts', default: './lib/client-package/index.js' },
      './proto/*': './proto/*',
      './package.json': './package.json',
    },
    files: ['lib', 'proto'],
    dependencies: Object.fromEntries(DEPENDENCIES.map((name) => [name, `^${packages[name]}`])),
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await step(
    'packing the client package',
    'npm',
    ['pack', '--offline', '--pack-destination', OUT],
    { cwd: folder },
  );
  return join(OUT, `singulate-client-${version}.tgz`);
}

function facts() {
  const read = (path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
  const { version, license } = read('package.json');
  const lock = read('package-lock.json').packages;
  const packages = Object.fromEntries(
    DEPENDENCIES.map((name) => [name, lock[`node_modules/${name}`].version]),
  );
  return { version, license, packages };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await build({ tools: true });
    console.log(await buildClientPackage());
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`singulate: ${error.message}\n`);
    process.exitCode = 1;
  }
}
