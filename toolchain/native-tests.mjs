/**
 * The native tests, a few of them in a process and a few processes at a time: many of them wait for
 * a module on an emulated line and leave the processors to others.
 */
import { availableParallelism } from 'node:os';
import { run } from './steps.mjs';

/** Tests of a process: few, as one that takes long holds up those behind it. */
const AT_A_TIME = 4;
const LONGEST_MS = 900_000;

/** Those outside the range count as passed there. */
const SUMMARY = /test cases:\s*\d+ \|\s*\d+ passed \|\s*(\d+) failed/;

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

  const counts = { passed: 0, failed: 0, output: '' };
  let next = 1;
  async function work() {
    while (next <= total) {
      const first = next;
      next += AT_A_TIME;
      const last = Math.min(first + AT_A_TIME - 1, total);
      const { code, output } = await run(
        program,
        [...args, `--first=${first}`, `--last=${last}`],
        at,
      );
      const count = last - first + 1;
      // One that crashed has none; and it may end badly behind its last test.
      const told = Number(SUMMARY.exec(output)?.[1] ?? count);
      const failed = code === 0 ? told : Math.max(told, 1);
      counts.passed += count - failed;
      counts.failed += failed;
      if (failed > 0) counts.output += `${output}\n`;
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, work));
  return counts;
}
