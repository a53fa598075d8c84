/**
 * `npm run --silent bench -- NAME [--json]`. Every figure is a ratio to something measured in
 * the same run, because machines differ and are noisy. With --json it prints one object:
 * {"bench", "rows": [...], "ratios": {name: number}}.
 */
import { parseArgs } from 'node:util';

export interface BenchResult {
  bench: string;
  rows: Record<string, string | number>[];
  ratios: Record<string, number>;
}

const BENCHES: Record<string, { about: string; load: () => Promise<() => Promise<BenchResult>> }> =
  {
    pipeline: {
      about: 'native queue to JS, to a gRPC subscriber and to JSON tag events, over the bare floor',
      load: async () => (await import('./pipeline/pipeline.js')).pipeline,
    },
  };

function usage(): string {
  const names = Object.entries(BENCHES).map(([name, { about }]) => `  ${name.padEnd(12)} ${about}`);
  return `Usage: npm run --silent bench -- NAME [--json]\n${names.join('\n')}`;
}

function print({ rows, ratios }: BenchResult): void {
  console.table(rows);
  for (const [name, value] of Object.entries(ratios)) {
    console.log(`${name.padEnd(20)} ${Number.isInteger(value) ? value : value.toFixed(3)}`);
  }
}

const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const bench = BENCHES[positionals[0] ?? ''];
if (bench === undefined || positionals.length !== 1) {
  console.error(usage());
  process.exitCode = 2;
} else {
  const run = await bench.load();
  const result = await run();
  if (values.json) console.log(JSON.stringify(result));
  else print(result);
}
