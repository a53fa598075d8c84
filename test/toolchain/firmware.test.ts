/** What docs/firmware.md tells firmware builders is so, as far as this machine can tell. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { PACKAGE_ROOT, VERSION } from '../../src/shared/package-info.js';

const text = (path: string) => readFileSync(join(PACKAGE_ROOT, path), 'utf8');
const RECIPE = `docs/firmware/yocto/singulate_${VERSION}.bb`;
const MAKEFILE = 'docs/firmware/buildroot/package/singulate/singulate.mk';
const GUIDE = 'docs/firmware.md';

function run(t: Test, command: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: PACKAGE_ROOT,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  t.equal(status, 0, `${command} ${args.join(' ')}: ${stdout.slice(-2000)}${stderr}`);
  return stdout;
}

/** As the build here was made: make or ninja, one of them is there. */
function generator(): string {
  const cache = text('out/host/CMakeCache.txt');
  return /^CMAKE_GENERATOR:INTERNAL=(.*)$/m.exec(cache)?.[1] as string;
}

t.test('the source archive holds all that the service needs', async (t) => {
  const folder = t.testdir();
  run(t, process.execPath, ['toolchain/source-archive.mjs', folder]);
  const archive = join(folder, `singulate-${VERSION}-source.tar.gz`);
  run(t, 'tar', ['-xzf', archive, '-C', folder]);
  const source = join(folder, `singulate-${VERSION}`);

  t.test('its npm packages are those of a device, with the headers of the addon', async (t) => {
    t.ok(existsSync(join(source, 'node_modules/node-addon-api/napi.h')));
    t.notOk(existsSync(join(source, 'node_modules/typescript')), 'nothing of development');
  });

  t.test('it is configured, installed and runs apart from here', async (t) => {
    const headers = join(PACKAGE_ROOT, 'node_modules/node-api-headers/include');
    const build = join(folder, 'build');
    const include = `-DCMAKE_JS_INC=${source}/node_modules/node-addon-api;${headers}`;
    const options = [include, '-DCMAKE_INSTALL_PREFIX=/usr', '-DCMAKE_INSTALL_LIBDIR=lib'];
    run(t, 'cmake', ['-G', generator(), '-S', source, '-B', build, ...options]);
    const image = join(folder, 'image');
    const install = ['--install', build, '--component', 'services'];
    run(t, 'cmake', install, { DESTDIR: image });
    const home = join(image, 'usr/lib/singulate');
    // Compiling takes minutes, and what comes of it is the same as here.
    const addon = join(home, 'build/Release/singulate.node');
    mkdirSync(dirname(addon), { recursive: true });
    copyFileSync(join(PACKAGE_ROOT, 'out/host/singulate.node'), addon);

    const { SINGULATE_ADDON: _ignored, ...env } = process.env;
    const main = join(home, 'dist/src/radio-control/main.js');
    // The path of a socket may have 107 bytes.
    const short = mkdtempSync(join(tmpdir(), 'singulate-'));
    t.teardown(() => rmSync(short, { recursive: true }));
    const socket = join(short, 'radio.sock');
    const service = spawn(process.execPath, [main, '--socket', socket], {
      env,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const exit = once(service, 'exit');
    let complaint = '';
    service.stderr?.on('data', (chunk) => {
      complaint += chunk;
    });
    const first = await Promise.race([
      once(service, 'message').then(([message]) => (message as { type: string }).type),
      exit.then(() => complaint),
    ]);
    t.equal(first, 'ready');
    service.kill('SIGTERM');
    t.strictSame(await exit, [0, null]);

    const brought = readdirSync(join(home, 'node_modules/@serialport/bindings-cpp/prebuilds'));
    t.strictSame(
      brought,
      [`linux-${process.arch}`],
      'addons of packages are for this machine alone',
    );
  });
});

t.test('recipes and guide name what there is', async (t) => {
  const { scripts } = JSON.parse(text('package.json'));
  const cmake = ['CMakeLists.txt', 'toolchain/install.cmake', 'toolchain/hardening.cmake']
    .map(text)
    .join('');
  t.ok(existsSync(join(PACKAGE_ROOT, RECIPE)), 'the recipe is of this version');
  t.match(text(MAKEFILE), new RegExp(`^SINGULATE_VERSION = ${VERSION}$`, 'm'));
  t.match(cmake, /add_library\(singulate MODULE/);
  t.match(text(RECIPE), /^OECMAKE_TARGET_COMPILE = "singulate"$/m);
  for (const path of [GUIDE, RECIPE, MAKEFILE]) {
    const page = text(path);
    for (const [, script] of page.matchAll(/`?npm run ([\w:]+)/g)) {
      t.ok(scripts[script as string], `${path}: npm run ${script}`);
    }
    for (const [, option] of page.matchAll(/-D((?:SINGULATE|NODE|CMAKE_JS)_\w+)/g)) {
      t.match(cmake, new RegExp(`\\b${option}\\b`), `${path}: ${option}`);
    }
  }
  for (const [, link] of text(GUIDE).matchAll(/\]\(([^)#]+)\)/g)) {
    t.ok(existsSync(join(PACKAGE_ROOT, 'docs', link as string)), `${GUIDE}: ${link}`);
  }
  for (const [, path] of text(GUIDE).matchAll(/`((?:toolchain|native|docs)\/[\w./-]+)`/g)) {
    t.ok(existsSync(join(PACKAGE_ROOT, path as string)), `${GUIDE}: ${path}`);
  }
});

t.test('the limit of the size that the guide tells is the one that is checked', async (t) => {
  const limit = /ADDON_LIMIT = ([\d_]+)/.exec(text('toolchain/elf.mjs'))?.[1] as string;
  const told = Number(limit.replaceAll('_', '')) / 1e6;
  t.match(text(GUIDE), `at most ${told} MB`);
});
