/** Small radios and plans for the addon's cases. */
import {
  loadAddon,
  type NativeRadio,
  type PlanInput,
  type VirtualOptions,
} from '../../src/radio-control/addon/addon.js';
import { RECORD, RECORD_BYTES } from '../../src/radio-control/record.js';

export function options(changes: Partial<VirtualOptions> = {}): VirtualOptions {
  return {
    module: 'virtual',
    paced: true,
    seed: 1,
    startTimeNs: 1_700_000_000_000_000_000n,
    antennas: [
      { port: 1, position: [0, 0, 2], gainDbi: 6 },
      { port: 2, position: [1, 0, 2], gainDbi: 6 },
    ],
    channelsKhz: [915_250],
    channelRule: { dwellMs: 400 },
    groups: [
      {
        waypoints: [[0, 0, 0, 0]],
        periodSeconds: 0,
        tags: Array.from({ length: 50 }, (_, i) => ({
          epc: Uint8Array.of(0x30, 0x34, 0, 0, 0, 0, 0, 0, 0, 0, 0, i),
          offset: [0.02 * i, 0, 0],
          sensitivityDbm: -18,
        })),
      },
    ],
    ...changes,
  };
}

export function plan(changes: Partial<PlanInput> = {}): PlanInput {
  return {
    antennas: [antenna(1), antenna(2)],
    linkProfile: 'FM0-640',
    delayAfterSelectsUs: 0,
    cycleDelay: { kind: 0, durationMs: 0 },
    start: { inputs: [], restart: false, atNs: 0n, everyMs: 0 },
    stop: stopAfter({}),
    ...changes,
  };
}

export function stopAfter(changes: Partial<PlanInput['stop']>): PlanInput['stop'] {
  return { durationMs: 0, cycles: 0, tagCount: 0, noNewTagsMs: 0, inputs: [], ...changes };
}

export function antenna(port: number): PlanInput['antennas'][number] {
  return {
    port,
    beam: 0,
    transmitPowerCdbm: 3000,
    query: { session: 0, target: 0, tagPopulation: 50, sel: 0 },
    dwell: { durationMs: 0, rounds: 0 },
    selects: [],
    access: [],
    memoryFrom: 0,
    memoryCount: 0,
  };
}

export function makeRadio(changes: Partial<VirtualOptions> = {}): NativeRadio {
  const { Radio } = loadAddon();
  return new Radio(options(changes));
}

const buffer = Buffer.alloc(256 * RECORD_BYTES);

/** Takes everything out; returns the sequence numbers. */
export function drainSequences(radio: NativeRadio): number[] {
  const sequences: number[] = [];
  for (let n = radio.drain(buffer); n > 0; n = radio.drain(buffer)) {
    for (let i = 0; i < n; i++) {
      sequences.push(Number(buffer.readBigUInt64LE(i * RECORD_BYTES + RECORD.sequence)));
    }
  }
  return sequences;
}

/** Runs an inventory to its own end; returns all records. */
export async function runToEnd(radio: NativeRadio, thePlan: PlanInput): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve) => {
    let over = false;
    const pump = () => {
      // The wake of the end may come late, when the next inventory runs already.
      if (over) return;
      do {
        for (let n = radio.drain(buffer); n > 0; n = radio.drain(buffer)) {
          chunks.push(Buffer.from(buffer.subarray(0, n * RECORD_BYTES)));
        }
        if (!radio.status().running) {
          // Between the look at the queue and that at the status more may have come.
          if (radio.arm()) {
            over = true;
            return resolve();
          }
        }
      } while (!radio.arm());
    };
    radio.start(thePlan, pump);
    pump();
  });
  return Buffer.concat(chunks);
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Waits until `check` is true, for 10 s at most. */
export async function until(check: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!check()) {
    if (Date.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await sleep(2);
  }
}
