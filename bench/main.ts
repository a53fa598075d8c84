/**
 * `npm run --silent bench -- NAME [--json] [--plot FILE] [--seeds N] [--minutes N]`. Every figure is
 * a ratio to something measured in the same run, because machines differ and are noisy. With --json it
 * prints one object: {"bench", "rows": [...], "ratios": {name: number}}, and beside them more of a bench.
 */
import { parseArgs } from 'node:util';

export interface BenchResult {
  bench: string;
  rows: Record<string, string | number>[];
  ratios: Record<string, number>;
  /** More that stands at the top level of the JSON; null: could not be measured, notes say why. */
  figures?: Record<string, number | null>;
  notes?: Record<string, string>;
}

export interface BenchOptions {
  /** A file for a picture (SVG), for benches that draw one. */
  plot?: string | undefined;
  /** Repetitions with different random numbers, for benches that have seeds. */
  seeds?: number | undefined;
  /** Of the long part, for benches that have one. */
  minutes?: number | undefined;
}

type Bench = (options: BenchOptions) => Promise<BenchResult>;

const BENCHES: Record<string, { about: string; load: () => Promise<Bench> }> = {
  pipeline: {
    about: 'native queue to JS, to a gRPC subscriber and to JSON tag events, over the bare floor',
    load: async () => (await import('./pipeline/pipeline.js')).pipeline,
  },
  delivery: {
    about: 'tag events over each transport, over its bare library; latency, backlog, a peer',
    load: async () => (await import('./delivery/delivery.js')).delivery,
  },
  air: {
    about: 'the simulated interrogator over the ceiling of the link, plain Q and known population',
    load: async () => (await import('./air/air.js')).air,
  },
  filter: {
    about: 'the report filter with 100 and with 100,000 tags, and its memory',
    load: async () => (await import('./filter/filter.js')).filter,
  },
  modes: {
    about: 'every operating mode, metadata and access over what the timing model predicts',
    load: async () => (await import('./modes/modes.js')).modes,
  },
  module: {
    about: 'the driver of radio modules: parser, share of the line, latency of commands, processor',
    load: async () => (await import('./module/module.js')).module,
  },
  footprint: {
    about: 'start to first tag event, memory, processor, disk, instructions; ten minutes',
    load: async () => (await import('./footprint/footprint.js')).footprint,
  },
  observers: {
    about: 'fifty clients on the read stream over one, and one of them that takes nothing',
    load: async () => (await import('./observers/observers.js')).observers,
  },
  rest: {
    about: 'REST requests over bare Koa, and reading beside them',
    load: async () => (await import('./rest/rest.js')).rest,
  },
  handshakes: {
    about: 'requests with a token beside TLS handshakes, 50 a second and at full speed',
    load: async () => (await import('./handshakes/handshakes.js')).handshakes,
  },
  tables: {
    about: 'published frame-slotted ALOHA results, simulated again: estimators, best frame sizes',
    load: async () => (await import('./tables/tables.js')).tables,
  },
};

function usage(): string {
  const names = Object.entries(BENCHES).map(([name, { about }]) => `  ${name.padEnd(12)} ${about}`);
  return `Usage: npm run --silent bench -- NAME [--json] [--plot FILE] [--seeds N] [--minutes N]\n${names.join('\n')}`;
}

function print({ rows, ratios }: BenchResult): void {
  console.table(rows);
  for (const [name, value] of Object.entries(ratios)) {
    console.log(`${name.padEnd(36)} ${Number.isInteger(value) ? value : value.toFixed(3)}`);
  }
}

const { values, positionals } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    plot: { type: 'string' },
    seeds: { type: 'string' },
    minutes: { type: 'string' },
  },
  allowPositionals: true,
});
const bench = BENCHES[positionals[0] ?? ''];
const seeds = values.seeds === undefined ? undefined : Number(values.seeds);
const badSeeds = seeds !== undefined && !(Number.isInteger(seeds) && seeds >= 1);
const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
const badMinutes = minutes !== undefined && !(minutes >= 0.05 && minutes <= 10_080);
if (bench === undefined || positionals.length !== 1 || badSeeds || badMinutes) {
  console.error(usage());
  process.exitCode = 2;
} else {
  const run = await bench.load();
  const result = await run({ plot: values.plot, seeds, minutes });
  const { figures, ...parts } = result;
  if (values.json) console.log(JSON.stringify({ ...parts, ...figures }));
  else print(result);
}
