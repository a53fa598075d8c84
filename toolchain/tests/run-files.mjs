/** Runs test files in processes that they share, some at a time, and says how each file did. */
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '../build.mjs';
import { filesOf, testsOf } from './tap-count.mjs';
import { unitsOf } from './units.mjs';

const PROCESS = join(ROOT, 'toolchain/tests/process.mjs');
/** A test without an end of its own, seconds; and a process that says nothing, milliseconds. */
const LONGEST_TEST_S = 600;
const LONGEST_SILENCE_MS = 900_000;
/** As root, or as one who is root in there alone. */
const NAMESPACE = process.getuid?.() === 0 ? ['unshare', '-n'] : ['unshare', '-rn'];

/**
 * @param files Paths of test files (.ts) from the root of the project.
 * @param options.output A file that gets all that they print.
 * @param options.inNamespace In a network namespace of their own, one after the other.
 * @param options.shared False: each in a process of its own.
 * @param options.jobs Processes at a time.
 * @returns `{ file, name, ok }` of each test.
 */
export async function runFiles(
  files,
  { output, inNamespace = false, shared = true, jobs = defaultJobs() } = {},
) {
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(output, '');
  const tests = [];
  const isShared = shared && !inNamespace;
  const units = isShared ? unitsOf(ROOT, files) : files.map((file) => [file]);
  let done = 0;

  async function runUnit(unit) {
    const { text, end, ms } = await runProcess(unit, inNamespace ? NAMESPACE : []);
    appendFileSync(output, text);
    const found = testsOf(text);
    const finished = filesOf(text);
    // The one that was under way; those after it have not run at all.
    const [broken, ...rest] = unit.filter((file) => !finished.includes(file));
    if (broken !== undefined) {
      found.push({ file: broken, name: `${broken} > its process ended (${end})`, ok: false });
      if (rest.length > 0) units.push(rest);
    } else if (end !== '0' && found.every(({ ok }) => ok)) {
      const name = `${unit.join(', ')} > the process of these files ended (${end})`;
      found.push({ file: unit.at(-1), name, ok: false });
    }
    tests.push(...found);
    done += unit.length - rest.length;
    const failed = tests.filter(({ ok }) => !ok).length;
    const what = unit.length === 1 ? unit[0] : `${unit.length} of ${dirname(unit[0])}`;
    const seconds = (ms / 1000).toFixed(1);
    console.log(`${done} of ${files.length} files, ${failed} failed (${what}: ${seconds} s)`);
  }
  async function work() {
    for (let unit = units.shift(); unit !== undefined; unit = units.shift()) await runUnit(unit);
  }
  await Promise.all(Array.from({ length: inNamespace ? 1 : jobs }, work));
  return tests;
}

/** Most tests wait for something now and then. */
function defaultJobs() {
  return availableParallelism() + 2;
}

function runProcess(unit, before) {
  const [command, ...args] = [...before, process.execPath, PROCESS];
  const started = Date.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        TAP_TIMEOUT: String(LONGEST_TEST_S),
        ...process.env,
        TEST_FILES: JSON.stringify(unit),
      },
    });
    const parts = [];
    let errors = '';
    let silence;
    function heard() {
      clearTimeout(silence);
      silence = setTimeout(() => child.kill('SIGKILL'), LONGEST_SILENCE_MS);
    }
    heard();
    child.stdout.on('data', (part) => {
      parts.push(part);
      heard();
    });
    child.stderr.on('data', (part) => {
      errors = (errors + part).slice(-20_000);
    });
    child.on('error', (error) => {
      errors += error.message;
    });
    child.on('close', (code, signal) => {
      clearTimeout(silence);
      const text = Buffer.concat(parts).toString();
      const failed = code !== 0 || /^ *not ok /m.test(text);
      if (failed) process.stdout.write(`${failures(text)}${errors}`);
      resolve({ text, end: String(code ?? signal), ms: Date.now() - started });
    });
  });
}

/** The lines of assertions that failed, with what they say. */
function failures(text) {
  const shown = [];
  let depth = -1;
  for (const line of text.split('\n')) {
    const failed = /^( *)not ok /.exec(line);
    if (failed) depth = failed[1].length;
    else if (depth >= 0 && /\S/.test(line) && line.search(/\S/) <= depth) depth = -1;
    if (depth >= 0) shown.push(line);
  }
  return shown.length > 0 ? `${shown.join('\n')}\n` : '';
}
