/**
 * `npm run test:full [-- OPTION... NAME...]`: the lanes of the checks, by their names in the order
 * given, else all. A lane that passed on this very content is not run again, so that what was
 * interrupted goes on where it was. Prints last "N passed, N failed" with the sum of all.
 *
 *   --list      names them
 *   --again     also those that passed on this content
 *   --one       one lane at a time
 *   --record    writes what passes into toolchain/proved.json
 *   --check     holds toolchain/proved.json to the commits that it names
 *   --ci        as .ci/run does: those of CI, bounded; without those that were proved on these inputs
 */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { keepPassed, passedOn } from './lanes/passed.mjs';
import { contentHere, proofOf, record, wrongProofs } from './lanes/proofs.mjs';
import { runLane } from './lanes/run-lane.mjs';
import { runAll } from './lanes/schedule.mjs';
import { BUILD, commandOf, LANES } from './lanes/table.mjs';
import { SetupError } from './steps.mjs';

const CCACHE = '/usr/lib/ccache';
const tell = (line) => console.log(line);

function read(args) {
  const flag = { type: 'boolean', default: false };
  const options = { list: flag, again: flag, one: flag, record: flag, check: flag, ci: flag };
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new SetupError(error.message);
  }
}

function lanesFor(names, inCi) {
  const all = LANES.filter(({ ci }) => !inCi || ci !== undefined);
  for (const name of names) {
    if (all.some((lane) => lane.name === name)) continue;
    const allowed = all.map((lane) => lane.name).join(', ');
    throw new SetupError(`lane: ${name} given; allowed: ${allowed}`);
  }
  return names.length === 0 ? all : names.map((name) => all.find((lane) => lane.name === name));
}

/** Compilers go through the cache, where there is one. */
function environment() {
  const PATH = existsSync(CCACHE) ? `${CCACHE}:${process.env.PATH}` : process.env.PATH;
  return { CI: 'true', ...process.env, PATH };
}

/** Who ends this ends what it started. */
function endWith(children) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      for (const { pid } of children) {
        try {
          process.kill(-pid, 'SIGTERM');
        } catch {
          // It has ended.
        }
      }
      process.exit(1);
    });
  }
}

/** @returns Why a lane is not run, as a line, with its counts; undefined: it is. */
async function reasonNotToRun(lane, content, { ci, again }) {
  if (content === undefined) return undefined;
  if (ci) {
    const proof = lane.ci.always ? undefined : await proofOf(lane, content.commit);
    if (proof === undefined) return undefined;
    const { commit, date, passed } = proof;
    return {
      line: `left out: ${passed} passed at ${commit} (${date}), and its inputs are the same`,
    };
  }
  const before = again ? undefined : passedOn(content.tree)[lane.name];
  if (before === undefined) return undefined;
  return { line: `passed on this content already: ${before.passed}`, counts: before };
}

async function runOne(lane, content, values, env, children) {
  const reason = await reasonNotToRun(lane, content, values);
  if (reason !== undefined) {
    tell(`== ${lane.name}: ${reason.line}`);
    if (values.record && reason.counts !== undefined) {
      await record(lane, content.commit, { ...reason.counts, whole: true });
    }
    return reason.counts ?? { passed: 0, failed: 0 };
  }
  tell(`== ${lane.name}: ${lane.about}`);
  let child;
  const result = await runLane(lane, {
    ...{ inCi: values.ci, env, tell },
    onStart(started) {
      child = started;
      children.add(child);
    },
  });
  children.delete(child);
  const { passed, failed, seconds, cpuSeconds } = result;
  tell(
    `== ${lane.name}: ${passed} passed, ${failed} failed; ${seconds} s, ${cpuSeconds} s of processors`,
  );
  // Content that was changed meanwhile is not what was tried.
  const now = failed === 0 ? await contentHere() : undefined;
  if (now !== undefined && now.tree === content?.tree) {
    if (!values.ci) keepPassed(now.tree, lane.name, result);
    if (values.record) await record(lane, now.commit, { ...result, whole: !values.ci });
  }
  return result;
}

async function main(args) {
  const { values, positionals } = read(args);
  if (values.check) {
    const wrong = await wrongProofs(LANES);
    for (const line of wrong) tell(line);
    process.exitCode = wrong.length > 0 ? 1 : 0;
    return;
  }
  const lanes = lanesFor(positionals, values.ci);
  if (values.list) {
    for (const lane of lanes) {
      tell(
        `${lane.name.padEnd(15)} ${lane.about}\n${' '.repeat(16)}${commandOf(lane, values.ci).join(' ')}`,
      );
    }
    return;
  }
  const content = await contentHere();
  if (values.record && content === undefined) {
    throw new SetupError('--record takes a checkout without changes: what is proved is a commit');
  }
  const children = new Set();
  endWith(children);
  const env = environment();
  const each = (lane) => runOne(lane, content, values, env, children);
  // Lanes beside each other would build the same at the same time.
  const beforeTracks = () => runLane(BUILD, { env, tell, onStart: (child) => children.add(child) });
  const { results, before } = await runAll(lanes, each, { beside: !values.one, beforeTracks });
  if (before?.failed > 0) results.push({ passed: 0, failed: 1 });
  tell('');
  lanes.forEach(({ name }, index) => {
    const { passed, failed, seconds, cpuSeconds } = results[index];
    if (seconds === undefined) return;
    tell(
      `${name}: ${passed} passed, ${failed} failed; ${seconds} s, ${cpuSeconds} s of processors`,
    );
  });
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  tell(`\n${sum('passed')} passed, ${sum('failed')} failed`);
  process.exitCode = sum('failed') > 0 || sum('passed') === 0 ? 1 : 0;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`singulate: ${error.message}\n`);
  process.exitCode = 2;
}
