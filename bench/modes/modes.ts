/**
 * Reads a second of every mode and of what it can ask for, over what the timing model predicts for
 * the same plan. 100 tags in reach of every antenna; air time only, so the machine has no say.
 */
import type { BenchOptions, BenchResult } from '../main.js';
import { runMode, runSwap } from './run-mode.js';

const TAGS = 100;
const DEFAULT_SEEDS = 20;

const ONE = { antennas: [1], query: { session: 'S0', tagPopulation: TAGS } };
const custom = (more: object) => ({ type: 'CUSTOM', ...ONE, ...more });
const select = {
  target: 'SL',
  action: 'ASSERTSL_DEASSERTSL',
  membank: 'EPC',
  pointer: 32,
  length: 16,
  mask: '3034',
};
const ab = { session: 'S2', target: 'AB', tagPopulation: TAGS };
const fast = { environment: 'LOW_INTERFERENCE' };
const DIRECTIONALITY = {
  type: 'DIRECTIONALITY',
  directionalitySettings: { basicConfig: {}, advancedConfig: {} },
  query: ONE.query,
};

interface Case {
  name: string;
  mode: object;
  cycles?: number;
  readerModel?: string;
}

const CASES: Case[] = [
  { name: 'SIMPLE', mode: { type: 'SIMPLE', ...ONE } },
  { name: 'SIMPLE, four antennas', mode: { type: 'SIMPLE', query: ONE.query } },
  { name: 'INVENTORY', mode: { type: 'INVENTORY', ...ONE } },
  { name: 'PORTAL', mode: { type: 'PORTAL', ...ONE } },
  { name: 'CONVEYOR', mode: { type: 'CONVEYOR', ...ONE, ...fast } },
  { name: 'DIRECTIONALITY, 38 beams', mode: DIRECTIONALITY, readerModel: 'array-38' },
  { name: 'CUSTOM, M4-250', mode: custom({}) },
  { name: 'CUSTOM, FM0-640', mode: custom(fast) },
  { name: 'CUSTOM, M2-320', mode: custom({ environment: 'DEMO' }) },
  { name: 'CUSTOM, M8-160', mode: custom({ environment: 'VERY_HIGH_INTERFERENCE' }) },
  {
    name: 'CUSTOM, S2 AB, 5 rounds a visit',
    mode: custom({ query: ab, antennaStopCondition: { type: 'INVENTORY_COUNT', value: 5 } }),
    cycles: 2,
  },
  {
    name: 'CUSTOM, dwell 100 ms',
    mode: custom({ antennaStopCondition: { type: 'DURATION', value: 100 }, ...fast }),
  },
  { name: 'a Select', mode: custom({ ...fast, select: [select] }) },
  {
    name: 'a Select, delayAfterSelects 20 ms',
    mode: custom({ ...fast, select: [select], delayAfterSelects: 20 }),
  },
  ...['EPC', 'TID[0-5]', 'USER[0-7]', 'TID[0-5] and USER[0-7]'].flatMap((banks) =>
    [{ environment: 'HIGH_INTERFERENCE' }, fast].map((environment) => ({
      name: `${banks}, ${environment === fast ? 'FM0-640' : 'M4-250'}`,
      mode: custom({ ...environment, tagMetaData: banks.split(' and ') }),
    })),
  ),
  {
    name: 'access: read, write, lock',
    // S2: tags that were written to do not come back after a hop.
    mode: custom({
      ...fast,
      query: { session: 'S2', tagPopulation: TAGS },
      access: [
        { type: 'READ', config: { membank: 'TID', wordPointer: 0, wordCounter: 2 } },
        { type: 'WRITE', config: { membank: 'USER', wordPointer: 0, data: 'cafe0123' } },
        { type: 'LOCK', config: { actions: ['WRITE_UNLOCK_USER_BANK'] } },
      ],
    }),
  },
];

export async function modes({ seeds = DEFAULT_SEEDS }: BenchOptions): Promise<BenchResult> {
  const rows: BenchResult['rows'] = [];
  const measured = new Map<string, number>();
  for (const { name, mode, cycles = 1, readerModel = '' } of CASES) {
    let reads = 0;
    let seconds = 0;
    let predicted = 0;
    for (let seed = 1; seed <= seeds; seed++) {
      const run = await runMode(mode, TAGS, seed, cycles, readerModel);
      reads += run.reads;
      seconds += run.seconds;
      predicted = run.predictedPerSecond;
    }
    const perSecond = reads / seconds;
    measured.set(name, perSecond);
    rows.push({
      mode: name,
      reads_per_second: round(perSecond),
      predicted: round(predicted),
      over_prediction: Math.round((perSecond / predicted) * 1e4) / 1e4,
    });
  }
  const ratios = rows.map((row) => Number(row.over_prediction));
  const swap = await runSwap(
    custom({ query: ab }),
    custom({ query: ab, tagMetaData: ['TID'] }),
    TAGS,
  );
  const tid = (link: string) =>
    (measured.get(`TID[0-5], ${link}`) ?? 0) / (measured.get(`CUSTOM, ${link}`) ?? 1);
  return {
    bench: 'modes',
    rows,
    ratios: {
      over_prediction_min: Math.min(...ratios),
      over_prediction_max: Math.max(...ratios),
      // Reference section 10.2: 550 / 1440 and 87 / 214.
      tid_over_epc_fm0_640: tid('FM0-640'),
      tid_over_epc_m4_250: tid('M4-250'),
      swap_gap_ms: swap.gapMs,
      swap_gap_over_round: swap.gapMs / swap.roundMs,
    },
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
