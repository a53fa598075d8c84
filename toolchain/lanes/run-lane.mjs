/** One lane: its output as it comes, each line with its name before it, and its counts. */
import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../build.mjs';
import { commandOf } from './table.mjs';

export const COUNTS = /^(\d+) passed, (\d+) failed$/;
/** The shell's own `times` says what a command and all that it waited for took of the processors. */
const TIMED = '"$@"; code=$?; times >&3; exit $code';

/**
 * A lane that prints no counts counts as one; one that ends badly without a failure has one more.
 * @returns `{passed, failed}`.
 */
export function countsOf(lastCounts, code) {
  const found = COUNTS.exec(lastCounts ?? '');
  if (!found) return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  const [passed, failed] = [Number(found[1]), Number(found[2])];
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
}

/** Of the second line of `times`, "0m1.250s 0m0.500s": those of the children. */
export function cpuSecondsOf(times) {
  const ofChildren = times.trim().split('\n')[1] ?? '';
  const each = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)];
  return each.reduce(
    (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
    0,
  );
}

/**
 * @param options.inCi Bounded as the table says for CI.
 * @param options.env Of all lanes.
 * @param options.onStart Is given the process, which leads a group of its own.
 * @returns `{passed, failed, seconds, cpuSeconds}`.
 */
export async function runLane(lane, { inCi, env, tell, onStart }) {
  const folder = join(ROOT, 'out/lanes');
  mkdirSync(folder, { recursive: true });
  const log = createWriteStream(join(folder, `${lane.name}.log`));
  const started = Date.now();
  const child = spawn('bash', ['-c', TIMED, lane.name, ...commandOf(lane, inCi)], {
    cwd: ROOT,
    env: { ...env, ...(inCi ? lane.ci?.env : {}) },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
  });
  onStart?.(child);
  let lastCounts;
  let times = '';
  child.stdio[3].on('data', (text) => {
    times += text;
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      if (COUNTS.test(line)) lastCounts = line;
      log.write(`${line}\n`);
      tell(`${lane.name} | ${line}`);
    });
  }
  const code = await new Promise((resolve) => {
    child.on('error', () => resolve(127));
    child.on('close', (exit) => resolve(exit ?? 1));
  });
  log.end();
  return {
    ...countsOf(lastCounts, code),
    seconds: Math.round((Date.now() - started) / 1000),
    cpuSeconds: Math.round(cpuSecondsOf(times)),
  };
}
