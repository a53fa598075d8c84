/**
 * The native tests, a few of them in a process and a few processes at a time: many of them wait for
 * a module on an emulated line and leave the processors to others.
 */
import { availableParallelism } from 'node:os';
import { run } from './steps.mjs';

/** Tests of a process: few, as one that takes long holds up those after it. */
const AT_A_TIME = 4;
const LONGEST_MS = 900_000;

/** Those outside the range count as passed there. */
const SUMMARY = /test cases:\s*\d+ \|\s*\d+ passed \|\s*(\d+) failed/;

/** More ranges with a failure than this are no matter of chance. */
const MOST_AGAIN = 8;

/** @returns Names of the tests that an output says something of, once each. */
function failedIn(output) {
  return new Set([...output.matchAll(/^TEST CASE: {2}(.+)$/gm)].map(([, name]) => name.trim()));
}

/**
 * @param command The test program, behind the emulator that runs it if there is one.
 * @returns How many tests passed and failed, and what the processes with a failed one printed.
 */
export async function runNativeTests(command, options = {}) {
  const [program, ...args] = command;
  const at = { timeout: LONGEST_MS, ...options };
  const counted = await run(program, [...args, '--count'], at);
  const total = Number(/: (\d+)\s*$/.exec(counted.output.trim())?.[1] ?? 0);
  if (counted.code !== 0 || total === 0) return { passed: 0, failed: 1, output: counted.output };

  /** @returns How many of them failed, whether by checks alone, and what was printed. */
  async function runRange([first, last]) {
    const range = [`--first=${first}`, `--last=${last}`];
    const { code, output } = await run(program, [...args, ...range], at);
    // One that crashed has no summary; and it may end badly after its last test.
    const told = Number(SUMMARY.exec(output)?.[1] ?? last - first + 1);
    // A crash, and what a sanitizer found, are no matter of time.
    const checksOnly = code === 1 && told > 0 && SUMMARY.test(output);
    return { failed: code === 0 ? told : Math.max(told, 1), checksOnly, output };
  }

  const ranges = [];
  for (let first = 1; first <= total; first += AT_A_TIME) {
    ranges.push([first, Math.min(first + AT_A_TIME - 1, total)]);
  }
  const counts = { passed: total, failed: 0, output: '' };
  const disturbed = [];
  function count({ failed, output }) {
    counts.passed -= failed;
    counts.failed += failed;
    counts.output += `${output}\n`;
  }
  async function work() {
    for (let range = ranges.shift(); range !== undefined; range = ranges.shift()) {
      const result = await runRange(range);
      if (result.checksOnly) disturbed.push({ range, result });
      else if (result.failed > 0) count(result);
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, work));

  for (const { result } of disturbed) count(result);
  // They have failed; those that pass when they are alone depend on time that nobody has for sure.
  for (const { range, result } of disturbed.length > MOST_AGAIN ? [] : disturbed) {
    const alone = await runRange(range);
    if (alone.failed > 0) continue;
    for (const name of failedIn(result.output)) counts.output += `flaky: ${name}\n`;
  }
  return counts;
}

/** Each by its own program; prints last "N passed, N failed". @returns The exit code. */
export async function runSingleNativeTests(programs) {
  const sum = { passed: 0, failed: 0 };
  for (const program of programs) {
    const { passed, failed, output } = await runNativeTests([program]);
    sum.passed += passed;
    sum.failed += failed;
    process.stdout.write(output);
  }
  console.log(`${sum.passed} passed, ${sum.failed} failed`);
  return sum.failed > 0 ? 1 : 0;
}
