/** No program of somebody else runs while packages are installed. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import t from 'tap';
import { PACKAGE_ROOT as ROOT } from '../../src/shared/package-info.js';

/** Each was looked at: it works as it comes. A new one is to be looked at before it stands here. */
const LOOKED_AT = [
  '@bufbuild/buf',
  '@scarf/scarf',
  '@serialport/bindings-cpp',
  'esbuild',
  'protobufjs',
];

t.test('npm runs no script of a package here', async (t) => {
  const lines = readFileSync(`${ROOT}/.npmrc`, 'utf8').split('\n');
  t.ok(lines.includes('ignore-scripts=true'));
  const env = { ...process.env };
  // What npm tells those that it runs.
  for (const name of Object.keys(env)) if (/^npm_config_/i.test(name)) delete env[name];
  const says = execFileSync('npm', ['config', 'get', 'ignore-scripts'], { cwd: ROOT, env });
  t.equal(says.toString().trim(), 'true');
});

t.test('the packages that have one are known', async (t) => {
  const { packages } = JSON.parse(readFileSync(`${ROOT}/package-lock.json`, 'utf8'));
  const found = Object.keys(packages).filter((path) => packages[path].hasInstallScript);
  const names = found.map((path) => path.slice(path.lastIndexOf('node_modules/') + 13));
  t.same([...new Set(names)].sort(), LOOKED_AT);
});
