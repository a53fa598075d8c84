/**
 * `npm test`: the C++ tests and the TypeScript tests, through the real parts. Prints last a
 * line "N passed, N failed". Arguments are test files (without any: all of them).
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bin, ROOT } from './build.mjs';
import { runNativeTests } from './native-tests.mjs';
import { step } from './steps.mjs';
import { testsOf } from './tap-count.mjs';

/** Folders of tests that need more than `npm test` may ask for; CI runs them by name. */
const NOT_BY_DEFAULT = [
  'attack',
  'browser',
  'campaign',
  'ci',
  'dbus',
  'ftps',
  'kills',
  'long',
  'mosquitto',
  'network',
  'property',
  'scanners',
];
/** Files that fail and may be run again alone: more of them are no matter of the machine. */
const MOST_AGAIN = 4;
/** As root, or as one who is root in there alone. */
const NAMESPACE = process.getuid?.() === 0 ? ['unshare', '-n'] : ['unshare', '-rn'];

/**
 * @param files All that `npm test` runs, if there are none.
 * @param options.inNamespace In a network namespace of their own, one after the other.
 */
export async function runTests(files, { inNamespace = false } = {}) {
  const native = files.length > 0 ? { passed: 0, failed: 0 } : await runNative();
  const compiled = files.length > 0 ? files.map(toCompiled) : allTests();
  const typescript = await runTap(compiled, inNamespace);
  const passed = native.passed + typescript.passed;
  const failed = native.failed + typescript.failed;
  for (const name of typescript.failures) console.log(`\nnot ok: ${name}`);
  // The line stands alone, whatever the reporter left on the one before.
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed > 0 || passed === 0 ? 1 : 0;
}

async function runNative() {
  const counts = await runNativeTests([join(ROOT, 'out/host/singulate_test')], { cwd: ROOT });
  console.log(`${counts.output}native tests: ${counts.passed} passed, ${counts.failed} failed`);
  return counts;
}

function toCompiled(file) {
  return file.startsWith('dist/') ? file : join('dist', file.replace(/\.ts$/, '.js'));
}

function allTests() {
  return testsIn('test')
    .filter((name) => !NOT_BY_DEFAULT.some((skipped) => name.startsWith(`test/${skipped}/`)))
    .map(toCompiled);
}

/** By the sources: what a renamed test left behind in dist is not run. */
export function testsIn(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name))
    .sort();
}

/** With the plugins of .taprc; tap by itself would build them, and run with those of before. */
async function prepareRunner() {
  const marker = join(ROOT, 'node_modules/@tapjs/test/test-built/.singulate-taprc');
  const wanted = readFileSync(join(ROOT, '.taprc'), 'utf8');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return;
  await step('the test runner with its plugins', bin('tap'), ['build'], { cwd: ROOT });
  writeFileSync(marker, wanted);
}

/**
 * Tests wait for programs, networks and clocks, and those beside them take the time for it: of a few
 * files with failures, what counts is how they do alone. Which they are is printed.
 */
async function runTap(files, inNamespace) {
  await prepareRunner();
  mkdirSync(join(ROOT, 'out'), { recursive: true });
  let tests = await tapOf(files, 'tests.tap', inNamespace);
  const disturbed = new Set(tests.filter(({ ok }) => !ok).map(({ file }) => file));
  const again = files.filter((file) => disturbed.has(file));
  if (again.length > 0 && again.length <= MOST_AGAIN && files.length > again.length) {
    for (const { name } of tests.filter(({ ok }) => !ok)) console.log(`\nagain, alone: ${name}`);
    const alone = await tapOf(again, 'tests-alone.tap', inNamespace, ['--jobs=1']);
    tests = [...tests.filter(({ file }) => !again.includes(file)), ...alone];
  }
  const failures = tests.filter(({ ok }) => !ok).map(({ name }) => name);
  return { passed: tests.length - failures.length, failed: failures.length, failures };
}

async function tapOf(files, name, inNamespace, jobs = []) {
  const output = join(ROOT, 'out', name);
  const [command, ...args] = [
    ...(inNamespace ? NAMESPACE : []),
    bin('tap'),
    '--reporter=terse',
    `--output-file=${output}`,
    ...(inNamespace ? ['--jobs=1'] : jobs),
    ...files,
  ];
  const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit' });
  const code = await new Promise((resolve) => child.on('close', (exit) => resolve(exit ?? 1)));
  const tests = testsOf(output);
  // Whatever it was, it was not all of them.
  if (code !== 0 && tests.every(({ ok }) => ok)) tests.push({ file: '', name: 'tap', ok: false });
  return tests;
}
