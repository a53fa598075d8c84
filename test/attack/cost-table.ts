/** The table of docs/request-costs.md: what each request costs, and what it may cost. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { RequestCost } from './asker.js';

const DOCUMENT = 'docs/request-costs.md';
const BEGIN = '<!-- Made by test/attack/request-costs.test.ts: UPDATE_DOCS=1 writes it. -->';

/** Figures are those of a machine that needs so long for the yardstick. */
export const YARDSTICK_MS = 10;
/** What a request of a class may cost, on such a machine. */
export const CLASSES: Readonly<Record<string, RequestCost>> = {
  small: { ms: 10, bytes: 4e6 },
  medium: { ms: 60, bytes: 20e6 },
  large: { ms: 400, bytes: 80e6 },
};
/** A request is put in a class of which it needs at most this part. */
const PART_OF_CLASS = 0.4;

export interface CostRow {
  /** `GET /cloud/mode (getMode)`; what is no operation has no name after it. */
  route: string;
  token: 'with' | 'without';
  status: number;
  cost: RequestCost;
}

export const keyOf = ({ route, token }: Pick<CostRow, 'route' | 'token'>) => `${route} | ${token}`;

/** @returns The class of each row of the document, by its key. */
export function documentedClasses(): Map<string, string> {
  const rows = readFileSync(DOCUMENT, 'utf8').matchAll(
    /^\| `([^`]+)` \| (with|without) \|(?:[^|]*\|){3} (\w+) \|$/gm,
  );
  return new Map(
    [...rows].map(([, route, token, name]) => [`${route} | ${token}`, name as string]),
  );
}

export function writeTable(rows: readonly CostRow[]): void {
  const [text = ''] = readFileSync(DOCUMENT, 'utf8').split(BEGIN);
  const lines = rows.map(({ route, token, status, cost: { ms, bytes } }) => {
    const kilobytes = Math.max(0, Math.round(bytes / 1000));
    const cells = [`\`${route}\``, token, status, ms.toFixed(1), kilobytes, classOf({ ms, bytes })];
    return `| ${cells.join(' | ')} |`;
  });
  const head = '| request | token | answer | processor, ms | memory, KB | class |';
  writeFileSync(
    DOCUMENT,
    `${text}${BEGIN}\n\n${head}\n|---|---|---|---|---|---|\n${lines.join('\n')}\n`,
  );
}

function classOf({ ms, bytes }: RequestCost): string {
  const fits = ([, most]: [string, RequestCost]) =>
    ms <= PART_OF_CLASS * most.ms && bytes <= PART_OF_CLASS * most.bytes;
  return Object.entries(CLASSES).find(fits)?.[0] ?? 'none';
}
