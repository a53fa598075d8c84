/**
 * Published results of frame-slotted ALOHA, simulated again: if these agree, the estimators and
 * the random draws that `bench -- air` is compared with are right. Table A: slot efficiency
 * (tags over slots) by algorithm; table B: the best frame by the number of tags.
 */
import { SeededRandom } from '../../src/radio-control/scenario/random.js';
import type { BenchOptions, BenchResult } from '../main.js';
import { framesUntilDone, qAlgorithm } from './aloha.js';
import { bestFrame, crossing } from './best-frame.js';
import * as estimators from './estimators.js';
import tableA from './table-a.json' with { type: 'json' };
import tableB from './table-b.json' with { type: 'json' };

const DEFAULT_RUNS = 3000;
const SEED = 20141;

type Run = (random: SeededRandom, tags: number) => number;

/** First frame of the algorithms that do not know how many tags there are. */
const FIRST_FRAME = 128;

const withFrames =
  (next: estimators.NextFrame, first: (tags: number) => number = () => FIRST_FRAME): Run =>
  (random, tags) =>
    framesUntilDone(random, tags, first(tags), next);

const ALGORITHMS: Record<string, Run> = {
  schoute: withFrames(estimators.schoute),
  'lower bound': withFrames(estimators.lowerBound),
  'Eom-Lee': withFrames(estimators.eomLee),
  'Q algorithm (jRFIDsim)': qAlgorithm,
  ILCM: withFrames(estimators.ilcm),
  'known, L = n': withFrames(estimators.knownPopulation, (tags) => tags),
  'known, power of two': withFrames(estimators.knownPowerOfTwo, bestFrame),
};

export interface EfficiencyRow {
  algorithm: string;
  tags: number;
  efficiency: number;
  reference: number;
  over_reference: number;
}

/** @param runs Repetitions with different random numbers. */
export function simulateTableA(runs: number): EfficiencyRow[] {
  return tableA.map(({ algorithm, tags, simulated }) => {
    const run = ALGORITHMS[algorithm];
    if (run === undefined) throw new Error(`no algorithm ${algorithm}`);
    const random = new SeededRandom(SEED);
    let sum = 0;
    for (let i = 0; i < runs; i++) sum += tags / run(random, tags);
    const efficiency = sum / runs;
    return {
      algorithm,
      tags,
      efficiency: Number(efficiency.toFixed(4)),
      reference: simulated,
      over_reference: Number((efficiency / simulated).toFixed(4)),
    };
  });
}

export interface BestFrameRow {
  frame: number;
  crossing: number;
  reference_crossing: number;
  /** The last whole number of tags for the frame: the crossing, rounded. */
  up_to: number;
  paper: number;
}

export function computeTableB(): BestFrameRow[] {
  return tableB.map(({ frame, paper, crossing: reference }) => ({
    frame,
    crossing: Number(crossing(frame).toFixed(2)),
    reference_crossing: reference,
    up_to: Math.round(crossing(frame)),
    paper,
  }));
}

export async function tables({ seeds }: BenchOptions): Promise<BenchResult> {
  const a = simulateTableA(seeds ?? DEFAULT_RUNS);
  const b = computeTableB();
  const over = a.map((row) => row.over_reference);
  return {
    bench: 'tables',
    rows: [...a.map((row) => ({ ...row })), ...b.map((row) => ({ ...row }))],
    ratios: {
      table_a_over_reference_min: Math.min(...over),
      table_a_over_reference_max: Math.max(...over),
      table_b_rows: b.length,
      table_b_crossings_exact: b.filter((row) => row.crossing === row.reference_crossing).length,
      table_b_as_in_the_paper: b.filter((row) => row.up_to === row.paper).length,
    },
  };
}
