/** Brings node_modules, generated code, the native core and the compiled TypeScript up to date. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NATIVE_INPUTS, useReadyMade } from './ready-made.mjs';
import { step, timed } from './steps.mjs';
import { checkCompiler, checkNode, has, need } from './system.mjs';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
export const bin = (name) => join(ROOT, 'node_modules', '.bin', name);

const GENERATED = 'src/contract/generated';
/** What is generated, from which files of proto/. */
const CONTRACT = {
  'radio_v1.js': ['singulate/radio/v1/radio.proto'],
  'google_rpc.js': ['google/rpc/status.proto', 'google/rpc/error_details.proto'],
};

/**
 * Each step has the inputs that make it stale and a marker that holds their state at its last
 * success. A marker lies with what the step makes, so deleting the one deletes the other.
 */
const STEPS = [
  {
    marker: 'node_modules/.singulate-lock',
    inputs: ['package-lock.json', '.npmrc'],
    byContent: true,
    // Without the workspace toolchain/tools, four fifths of all: what a start needs, and its build.
    make: () => npm('npm packages, as locked', 'ci', '--workspaces=false'),
  },
  {
    marker: 'node_modules/.singulate-tools',
    inputs: ['package-lock.json', '.npmrc'],
    byContent: true,
    isWanted: ({ tools = false }) => tools,
    // Beside what is there: `npm ci` would remove that and fetch it again.
    make: () => npm('npm packages of tests and lint, as locked', 'install', '--no-save'),
  },
  {
    marker: `${GENERATED}/.stamp`,
    inputs: ['proto', 'package-lock.json'],
    make: generateContract,
  },
  {
    marker: 'out/host/.stamp',
    inputs: NATIVE_INPUTS,
    variant: nativeVariant,
    // A build with the tests or the benchmarks is also good for everything else.
    alsoGood: ({ nativeTests, nativeBench }) =>
      nativeTests || nativeBench ? [] : ['with tests', 'with benchmarks'],
    make: buildNative,
  },
  {
    marker: 'dist/.stamp',
    inputs: [
      'src',
      'test',
      'bench',
      'tsconfig.json',
      'toolchain/compile.mjs',
      'toolchain/ready-validators.mjs',
      `${GENERATED}/.stamp`,
    ],
    make: compileTypeScript,
  },
  {
    marker: 'dist/bundle/.stamp',
    inputs: [
      'dist/.stamp',
      'package-lock.json',
      'toolchain/bundle.mjs',
      'toolchain/node-lines.mjs',
    ],
    isWanted: ({ bundle = () => true }) => bundle(),
    make: bundlePrograms,
  },
];

/**
 * Of `npm ci` and `npm install`. checkNode() has said which Node.js it may be: a few packages ask for a newer
 * patch of 20 than they need.
 */
export const NPM = ['--no-engine-strict', '--no-audit', '--no-fund'];

/**
 * Builds what is stale. Costs a few milliseconds when nothing is.
 * @param options.tools also the npm packages that tests and lint need.
 * @param options.bundle asked before the programs are bundled: whether anything needs that.
 * @param options.packagesOnly the npm packages alone: for builds that need nothing else.
 */
export async function build(options = {}) {
  checkNode();
  for (const buildStep of options.packagesOnly ? STEPS.slice(0, 1) : STEPS) {
    const state = fingerprint(buildStep.inputs, buildStep.byContent);
    const variant = buildStep.variant?.(options) ?? '';
    const good = [variant, ...(buildStep.alsoGood?.(options) ?? [])].map((v) =>
      `${state} ${v}`.trim(),
    );
    if (good.includes(readMarker(buildStep.marker))) continue;
    if ((await buildStep.isWanted?.(options)) === false) continue;
    await buildStep.make(options);
    // Read again: a step may write among its own inputs.
    const after = fingerprint(buildStep.inputs, buildStep.byContent);
    mkdirSync(join(ROOT, dirname(buildStep.marker)), { recursive: true });
    writeFileSync(join(ROOT, buildStep.marker), `${after} ${variant}`.trim());
  }
}

function npm(title, ...command) {
  return step(title, 'npm', [...command, ...NPM, '--prefer-offline'], at());
}

async function generateContract() {
  mkdirSync(join(ROOT, GENERATED), { recursive: true });
  const trimmed = ['service', 'delimited', 'typeurl', 'verify', 'create', 'convert'];
  const options = ['-t', 'static-module', '-w', 'esm', '-d', '-p', 'proto'].concat(
    trimmed.map((name) => `--no-${name}`),
  );
  for (const [name, protos] of Object.entries(CONTRACT)) {
    // A root each: they share no types.
    const out = ['-r', name.replace('.js', ''), '-o', join(ROOT, GENERATED, name)];
    await step(
      `code of the gRPC contract: ${name}`,
      bin('pbjs'),
      [...options, ...out, ...protos],
      at(),
    );
  }
}

function nativeVariant({ nativeTests, nativeBench }) {
  if (nativeTests) return 'with tests';
  return nativeBench ? 'with benchmarks' : '';
}

async function buildNative(options) {
  if (nativeVariant(options) === '' && (await useReadyMade(ROOT))) return;
  const targets = ['singulate'];
  if (options.nativeTests) targets.push('singulate_test');
  if (options.nativeBench) targets.push('singulate_air_bench', 'singulate_module_bench');
  await buildTargets(targets);
}

/**
 * Programs of single native tests, each of its own source and of what it tests: for one that is edited.
 * @param files Paths of native/.../NAME_test.cpp. @returns Paths of the programs.
 */
export async function buildNativeTests(files) {
  checkNode();
  // The headers of node-addon-api are a package: CMake configures the addon as well.
  await build({ packagesOnly: true });
  const names = files.map((file) => basename(file, '.cpp'));
  await buildTargets(names);
  return names.map((name) => join(ROOT, 'out/host/one', name));
}

async function buildTargets(targets) {
  await need('compiler', 'cmake', 'make');
  await checkCompiler();
  forgetOtherFolder();
  const generator = has('make') && process.env.CMAKE_GENERATOR === undefined ? ninja() : [];
  await step('configuring the native core', 'cmake', ['--preset', 'host', ...generator], at());
  const jobs = String(availableParallelism());
  await step(
    'building the native core',
    'cmake',
    ['--build', 'out/host', '-j', jobs, '--target', ...targets],
    at(),
  );
}

async function compileTypeScript() {
  await timed('compiling TypeScript', async () => {
    const { compile } = await import('./compile.mjs');
    await compile(ROOT);
    const { writeReadyValidators } = await import('./ready-validators.mjs');
    await writeReadyValidators(ROOT);
  });
}

async function bundlePrograms() {
  rmSync(join(ROOT, 'dist/bundle'), { recursive: true, force: true });
  await timed('joining each program to a bundle', async () => {
    const { bundle } = await import('./bundle.mjs');
    await bundle(ROOT);
  });
}

// CMake refuses a build folder that was copied or moved with its checkout.
function forgetOtherFolder() {
  const folder = join(ROOT, 'out/host');
  const source = /^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$/m.exec(
    readMarker('out/host/CMakeCache.txt') ?? '',
  );
  if (source !== null && source[1] !== ROOT) rmSync(folder, { recursive: true });
}

// An existing build folder keeps the generator it was made with.
function ninja() {
  const inPath = (process.env.PATH ?? '').split(':').some((dir) => exists(join(dir, 'ninja')));
  return inPath && !exists(join(ROOT, 'out/host/CMakeCache.txt')) ? ['-G', 'Ninja'] : [];
}

function at() {
  return { cwd: ROOT };
}

function exists(path) {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function readMarker(path) {
  try {
    return readFileSync(join(ROOT, path), 'utf8');
  } catch {
    return undefined;
  }
}

/** Names, sizes and times of files (or their content) as one hash. */
function fingerprint(inputs, byContent = false) {
  const hash = createHash('sha256');
  for (const path of inputs) addTo(hash, path, byContent);
  return hash.digest('hex');
}

function addTo(hash, path, byContent) {
  const stat = statSync(join(ROOT, path), { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (stat.isDirectory()) {
    if (path === GENERATED) return;
    for (const name of readdirSync(join(ROOT, path)).sort()) {
      addTo(hash, `${path}/${name}`, byContent);
    }
    return;
  }
  hash.update(`${path}\0`);
  hash.update(byContent ? readFileSync(join(ROOT, path)) : `${stat.size} ${stat.mtimeMs}\0`);
}
