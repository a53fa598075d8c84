/**
 * `npm test`: the C++ tests and the TypeScript tests, through the real parts. Prints last a
 * line "N passed, N failed". Arguments are test files (without any: all of them).
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './build.mjs';
import { runNativeTests } from './native-tests.mjs';
import { runFiles } from './tests/run-files.mjs';

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
/** More failures than this are no matter of chance. */
const MOST_AGAIN = 8;

/**
 * @param files All that `npm test` runs, if there are none.
 * @param options.inNamespace In a network namespace of their own, one after the other.
 */
export async function runTests(files, { inNamespace = false } = {}) {
  const output = join(ROOT, 'out/tests.tap');
  const wanted = files.length > 0 ? files : allTests();
  // Native tests mostly wait for the line of an emulated module: they run beside the others.
  const [native, tests] = await Promise.all([
    files.length > 0 ? { passed: 0, failed: 0 } : runNative(),
    runFiles(wanted, { output, inNamespace }),
  ]);
  const failures = tests.filter(({ ok }) => !ok);
  const flaky = await flakyOf(failures, inNamespace);
  for (const { file, name } of failures) {
    console.log(`\n${flaky.has(file) ? 'flaky' : 'not ok'}: ${name}`);
  }
  const passed = native.passed + tests.length - failures.length;
  const failed = native.failed + failures.length;
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed > 0 || passed === 0 ? 1 : 0;
}

/**
 * A test that fails beside others and passes alone has failed all the same: the time of a machine is
 * nobody's for sure. That it is so helps to find the cause.
 */
async function flakyOf(failures, inNamespace) {
  const files = [...new Set(failures.map(({ file }) => file))];
  if (files.length === 0 || files.length > MOST_AGAIN) return new Set();
  console.log(`\nAgain and alone, to see which are flaky (they have failed): ${files.join(' ')}`);
  const output = join(ROOT, 'out/tests-alone.tap');
  const again = await runFiles(files, { output, inNamespace, jobs: 1, shared: false });
  const bad = new Set(again.filter(({ ok }) => !ok).map(({ file }) => file));
  return new Set(files.filter((file) => !bad.has(file)));
}

async function runNative() {
  const counts = await runNativeTests([join(ROOT, 'out/host/singulate_test')], { cwd: ROOT });
  console.log(`${counts.output}native tests: ${counts.passed} passed, ${counts.failed} failed`);
  return counts;
}

function allTests() {
  return testsIn('test').filter(
    (name) => !NOT_BY_DEFAULT.some((skipped) => name.startsWith(`test/${skipped}/`)),
  );
}

/** Paths of the test files in a folder, from the root of the project. */
export function testsIn(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name))
    .sort();
}
