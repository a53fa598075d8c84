/** Runs a mode once on the simulated radio, as fast as the processor goes, and predicts it. */
import {
  loadAddon,
  type NativeRadio,
  type VirtualOptions,
} from '../../src/radio-control/addon/addon.js';
import { compilePlan } from '../../src/radio-control/plan/compile-plan.js';
import { RECORD_BYTES } from '../../src/radio-control/record.js';
import { compileMode } from '../../src/reader-gateway/mode/compile.js';

export interface ModeRun {
  reads: number;
  /** Air time, seconds. */
  seconds: number;
  predictedPerSecond: number;
  /** Air time from the end of the last round to the first command of a changed plan, ms. */
  changeGapMs: number;
}

const START_NS = 1_767_225_600_000_000_000n;
const buffer = Buffer.alloc(1024 * RECORD_BYTES);

/** Tags in reach of every antenna, each with a TID of six words and eight words of USER. */
export function fieldOf(tags: number, seed: number, beams: number): VirtualOptions {
  const pattern = { gainDbi: 6 };
  return {
    module: 'virtual',
    paced: false,
    startTimeNs: START_NS,
    seed,
    inputs: [{ port: 1, high: false, changeSeconds: [1e6] }],
    antennas:
      beams > 0
        ? [{ port: 1, position: [0, 0, 1], ...pattern, beams: Array(beams).fill(pattern) }]
        : [1, 2, 3, 4].map((port) => ({ port, position: [0, 0, 1], ...pattern })),
    channelsKhz: [902_750, 915_250, 927_250],
    channelRule: { dwellMs: 400 },
    models: [{ name: 'plain', userWords: 8, writeSensitivityDbm: -30, writeUsPerWord: 800 }],
    groups: [
      {
        waypoints: [[0, 0, 0, 0]],
        periodSeconds: 0,
        tags: Array.from({ length: tags }, (_, i) => ({
          epc: Buffer.from(`3034257bf400b780${i.toString(16).padStart(8, '0')}`, 'hex'),
          tid: Buffer.from(`e28011602000${i.toString(16).padStart(12, '0')}`, 'hex'),
          offset: [0.005 * (i % 20), 0.005 * Math.floor(i / 20), 0],
          sensitivityDbm: -20,
        })),
      },
    ],
  };
}

function facts(radio: NativeRadio, readerModel: string) {
  return { ...radio.capabilities(), region: '', maxEirpCdbm: 0, channelWidthKhz: 0, readerModel };
}

export async function runMode(
  mode: object,
  tags: number,
  seed: number,
  cycles: number,
  readerModel = '',
): Promise<ModeRun> {
  const radio = new (loadAddon().Radio)(fieldOf(tags, seed, readerModel === '' ? 0 : 38));
  const result = compileMode(mode, facts(radio, readerModel));
  if (!result.ok) throw new Error(JSON.stringify(result.violations));
  // Pauses between cycles, and waits for a trigger, are no time of the radio.
  const plan = { ...result.value.plan, cycleDelay: {}, start: {}, stop: { cycles } };
  const { native } = compilePlan(plan, radio.capabilities());
  const prediction = radio.predict(native, tags, 6);
  if (prediction === null) throw new Error('no prediction');
  await toTheEnd(radio, () => radio.start(native, () => {}));
  const status = radio.status();
  const { antennas } = prediction;
  const sum = (of: (antenna: (typeof antennas)[number]) => number) =>
    antennas.reduce((total, antenna) => total + of(antenna), 0);
  return {
    reads: status.reads,
    seconds: status.airTimeNs / 1e9,
    predictedPerSecond: (sum(({ reads }) => reads) / sum(({ visitUs }) => visitUs)) * 1e6,
    changeGapMs: status.changeGapNs / 1e6,
  };
}

/** A swap of plans while reading: the gap it leaves, and what a round takes. */
export async function runSwap(
  before: object,
  after: object,
  tags: number,
): Promise<{ gapMs: number; roundMs: number }> {
  const radio = new (loadAddon().Radio)(fieldOf(tags, 1, 0));
  const compile = (mode: object) => {
    const result = compileMode(mode, facts(radio, ''));
    if (!result.ok) throw new Error(JSON.stringify(result.violations));
    return compilePlan(result.value.plan, radio.capabilities()).native;
  };
  const prediction = radio.predict(compile(before), tags, 6);
  radio.start(compile(before), () => {});
  radio.change(compile(after));
  const deadline = Date.now() + 10_000;
  // After the change, until the first round of the new plan is over.
  let rounds = Number.POSITIVE_INFINITY;
  for (;;) {
    while (radio.drain(buffer) > 0);
    const status = radio.status();
    if (status.planChanges > 0 && rounds === Number.POSITIVE_INFINITY) rounds = status.rounds + 2;
    if (status.rounds >= rounds || Date.now() > deadline) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await radio.stop();
  return {
    gapMs: radio.status().changeGapNs / 1e6,
    roundMs: (prediction?.antennas[0]?.roundUs ?? 0) / 1e3,
  };
}

async function toTheEnd(radio: NativeRadio, start: () => void): Promise<void> {
  start();
  for (;;) {
    while (radio.drain(buffer) > 0);
    if (!radio.status().running) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
