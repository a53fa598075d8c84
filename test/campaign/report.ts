/** The tables of a campaign. */
import type { Account } from './account.js';
import { writtenAndLost } from './checks.js';
import type { Sample } from './figures.js';
import { lengthOf } from './ranges.js';
import type { Fault } from './scene.js';

const NUMBERS = new Intl.NumberFormat('en');

export function faultsTable(done: readonly Fault[]): string {
  const counts = new Map<string, number>();
  for (const { name } of done) counts.set(name, (counts.get(name) ?? 0) + 1);
  const rows = [...counts].sort(([, a], [, b]) => b - a);
  return table(['fault', 'times'], [...rows.map(([name, count]) => [name, String(count)])]);
}

export function accountsTable(accounts: readonly Account[], done: readonly Fault[]): string {
  const columns = accounts.map((account) => {
    const { reported, missing, reportedAtKill, reportedWrongly } = account.outcome();
    const excused = account.name.endsWith('QoS 0') ? writtenAndLost(account, done) : 0;
    return {
      'highest number': account.highest,
      'numbers that arrived': account.arrived,
      'numbers reported lost by OVERFLOW': lengthOf(reported),
      'QoS 0: written to a connection that broke': excused,
      'never reported': lengthOf(missing) - excused,
      sum: account.arrived + lengthOf(reported) + lengthOf(missing),
      'duplicates (same number, same content)': account.duplicates,
      'numbers with two contents': account.conflicts.length,
      'reported lost, but arrived just before a kill': lengthOf(reportedAtKill),
      'reported lost, but arrived': lengthOf(reportedWrongly),
    };
  });
  const rows = Object.keys(columns[0] ?? {}) as (keyof (typeof columns)[number])[];
  return table(
    ['', ...accounts.map(({ name }) => name)],
    rows.map((row) => [row, ...columns.map((column) => NUMBERS.format(column[row]))]),
  );
}

export function figuresTable(begin: Sample, peak: Sample, end: Sample): string {
  const kinds = ['radio-control', 'reader-gateway', 'command'] as const;
  const three = (value: (sample: Sample) => number) =>
    [begin, peak, end].map((sample) => Math.round(value(sample))).join(' / ');
  return table(
    ['begin / most / end', ...kinds],
    [
      ['memory, MB', ...kinds.map((kind) => three((sample) => sample[kind].rssMb))],
      ['open files', ...kinds.map((kind) => three((sample) => sample[kind].files))],
      ['of these sockets', ...kinds.map((kind) => three((sample) => sample[kind].sockets))],
      ['processes', ...kinds.map((kind) => three((sample) => sample[kind].processes))],
    ],
  );
}

function table(head: string[], rows: string[][]): string {
  const widths = head.map((text, at) =>
    Math.max(text.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  const line = (row: string[]) =>
    `| ${row.map((text, at) => (at === 0 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}
