/** What must hold after the faults. */
import type { Account } from './account.js';
import type { Sample } from './figures.js';
import { lengthOf, type Range, show } from './ranges.js';
import type { Fault } from './scene.js';

export interface Check {
  what: string;
  /** What is wrong; '' = nothing. */
  problem: string;
}

const NAMES = ['radio-control', 'reader-gateway', 'command'] as const;
/** Beyond the begin: caches, packed events and compiled code of a busy hour. */
const MORE_MB = 100;
const MOST_MB = 400;
/** Connections to endpoints and of requests come and go. */
const MORE_FILES = 20;
const MOST_FILES = 200;

/** @param done Faults that were done, in their order. */
export function checkAccount(account: Account, isQos0: boolean, done: readonly Fault[]): Check[] {
  const { name, conflicts, oddReported } = account;
  const { missing, reportedWrongly } = account.outcome();
  const lost = isQos0 ? missing.filter((range) => !wasWritten(range, account, done)) : missing;
  return [
    {
      what: `${name}: every number arrived or was reported`,
      problem: lost.length > 0 ? show(lost) : '',
    },
    {
      what: `${name}: no number came with two contents`,
      problem:
        conflicts.length > 0
          ? `${conflicts.length} numbers: ${conflicts.slice(0, 5).join(', ')}`
          : '',
    },
    {
      what: `${name}: what was reported lost had not arrived, but for what a killed gateway could not know any more`,
      problem: reportedWrongly.length > 0 ? show(reportedWrongly) : '',
    },
    {
      what: `${name}: what is reported is consistent`,
      problem: oddReported.slice(0, 3).join('; '),
    },
    { what: `${name}: events came`, problem: account.arrived > 0 ? '' : 'none' },
  ];
}

/** QoS 0: the numbers after the last that came by a connection which then broke. */
function wasWritten({ first }: Range, { ended }: Account, done: readonly Fault[]): boolean {
  const breaking = new Set(done.filter(({ breaksQos0 }) => breaksQos0).map(({ name }) => name));
  return ended.some(({ last, during }) => last === first - 1 && breaking.has(during));
}

/** With QoS 0, for the table. */
export function writtenAndLost(account: Account, done: readonly Fault[]): number {
  return lengthOf(account.outcome().missing.filter((range) => wasWritten(range, account, done)));
}

export function checkFigures(begin: Sample, peak: Sample, end: Sample): Check[] {
  const checks = NAMES.flatMap((name) => {
    const [first, most, last] = [begin[name], peak[name], end[name]];
    const mb = (value: number) => Math.round(value);
    return [
      {
        what: `${name}: memory does not grow`,
        problem:
          last.rssMb > first.rssMb + MORE_MB || most.rssMb > MOST_MB
            ? `${mb(first.rssMb)} MB, at most ${mb(most.rssMb)}, at the end ${mb(last.rssMb)}`
            : '',
      },
      {
        what: `${name}: files and sockets do not grow`,
        problem:
          last.files > first.files + MORE_FILES || most.files > MOST_FILES
            ? `${first.files}, at most ${most.files}, at the end ${last.files}`
            : '',
      },
    ];
  });
  const count = (sample: Sample) =>
    Object.entries(sample)
      .map(([name, { processes }]) => `${processes} ${name}`)
      .join(', ');
  const [first, last] = [count(begin), count(end)];
  checks.push({
    what: 'the same processes as at the begin',
    problem: first === last ? '' : `${first}; at the end ${last}`,
  });
  return checks;
}

/** @param files Of the state folder, after the end in good order. */
export function checkFiles(files: readonly string[]): Check {
  const left = files.filter(
    (path) => /\.tmp$|\.damaged$|\.partial$/.test(path) || /^spill[^/]*\/.+\/.+/.test(path),
  );
  return { what: 'no file is left over', problem: left.slice(0, 10).join(', ') };
}
