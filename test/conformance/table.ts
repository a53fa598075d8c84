/** The table of docs/conformance.md, made of what was executed. */
import type { Operation } from '../../src/reader-gateway/operations/operation.js';

export const COLUMNS = [
  'success',
  'documented errors',
  'unknown field',
  'wrong type',
  'missing field',
  'too large',
  'wrong auth',
] as const;
export type Column = (typeof COLUMNS)[number];

const NOT_POSSIBLE = '–';

/** What came of every case of every operation at each door. */
export class Executed {
  readonly #cells = new Map<string, Set<string>>();
  cases = 0;

  /** @param result Short: a status and a code. */
  add(operation: Operation, door: string, column: Column, result: string): void {
    this.cases++;
    const key = [operation.name, door, column].join(' ');
    const cell = this.#cells.get(key) ?? new Set();
    this.#cells.set(key, cell.add(result));
  }

  has(operation: Operation, door: string, column: Column): boolean {
    return this.#cells.has([operation.name, door, column].join(' '));
  }

  markdown(operations: readonly Operation[]): string {
    const rows = operations.flatMap((operation) =>
      (['REST', 'MQTT'] as const).map((door) => {
        const { name, method, path, mqttCommand } = operation;
        const asked = door === 'REST' ? `${method} ${path}` : mqttCommand;
        const cells = COLUMNS.map((column) => this.#cell([name, door, column].join(' ')));
        return `| ${[door === 'REST' ? name : '', `\`${asked}\``, ...cells].join(' | ')} |`;
      }),
    );
    const head = ['operation', 'asked by', ...COLUMNS];
    return [`| ${head.join(' | ')} |`, `|${head.map(() => '---').join('|')}|`, ...rows].join('\n');
  }

  #cell(key: string): string {
    const results = [...(this.#cells.get(key) ?? [])].sort();
    return results.length === 0 ? NOT_POSSIBLE : results.join(', ');
  }
}

const BEGIN = '<!-- Made by test/conformance: UPDATE_DOCS=1 writes it. -->';

/** The document with another table in it. */
export function withTable(document: string, table: string): string {
  const [text = ''] = document.split(BEGIN);
  return `${text}${BEGIN}\n\n${table}\n`;
}
