/**
 * The native core as TypeScript sees it. The implementation is native/addon/; the records that
 * drain() gives are described in ../record.ts.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { configError, errorMessage } from '../../shared/errors.js';
import { PACKAGE_ROOT } from '../../shared/package-info.js';
import type { VirtualField } from '../scenario/virtual-field.js';

/** InventoryPlan of the contract, every field given. Powers in hundredths of a dBm. */
export interface PlanInput {
  antennas: {
    port: number;
    transmitPowerCdbm: number;
    query: {
      session: 0 | 1 | 2 | 3;
      /** 0 = A, 1 = B, 2 = A and B in turns. */
      target: 0 | 1 | 2;
      tagPopulation: number;
    };
    /** 0 = no limit; both 0: one round of at most 1/N seconds. */
    dwell: { durationMs: number; rounds: number };
  }[];
  /** '' = the first of the capabilities. */
  linkProfile: string;
  /** On the air clock; 0 = none. */
  stop: { durationMs: number; cycles: number };
}

/** A simulated field, and how its radio runs. */
export interface VirtualOptions extends VirtualField {
  module: 'virtual';
  /** Air time is real time; false: as fast as the processor goes. */
  paced: boolean;
  /** Time of the first start, nanoseconds since the Unix epoch; left out: the wall clock. */
  startTimeNs?: bigint;
  /** Records that wait for drain() at most; left out: 65536. */
  queueRecords?: number;
}

/** A recording, played as if its reads were taken now. */
export interface ReplayOptions {
  module: 'replay';
  /** With its own timing; false: as fast as the processor goes. */
  paced: boolean;
  startTimeNs?: bigint;
  queueRecords?: number;
  /** Records; time_ns counts from the start of the recording, pc and crc of 0 are computed. */
  records: Uint8Array;
  model?: string;
}

export interface NativeCapabilities {
  module: string;
  model: string;
  firmware: string;
  antennas: number[];
  minTransmitPowerCdbm: number;
  maxTransmitPowerCdbm: number;
  /** The first is the default. */
  linkProfiles: string[];
  sequencesAntennas: boolean;
  paced: boolean;
}

/** Of the running or of the last inventory. */
export interface NativeStatus {
  running: boolean;
  /** '' while running; 'stopped', 'duration', 'cycles', 'end of recording' or an error text. */
  endReason: string;
  /** Tags singulated, dropped ones included. */
  reads: number;
  /** Reads lost because the queue was full. */
  dropped: number;
  rounds: number;
  cycles: number;
  emptySlots: number;
  singleSlots: number;
  collidedSlots: number;
  airTimeNs: number;
  readsByAntenna: Record<number, number>;
}

/** Errors carry a `code` (ERR_...) and, for options and plans, `violations`. */
export interface NativeRadio {
  capabilities(): NativeCapabilities;
  /**
   * Starts an inventory. `onReadable` is called when the queue has become readable after arm(),
   * and once when the inventory has ended. It must not throw.
   * Throws ERR_INVALID_PLAN or ERR_ALREADY_STARTED.
   */
  start(plan: PlanInput, onReadable: () => void): void;
  /** Ends the inventory within a few milliseconds; no error if none runs. */
  stop(): void;
  /**
   * True: onReadable will be called at the next record, or at the end if that is still to come.
   * False: records are waiting now.
   */
  arm(): boolean;
  /** Copies whole records into the buffer, returns how many. Also after the end. */
  drain(into: Uint8Array): number;
  status(): NativeStatus;
}

export interface Addon {
  Radio: new (options: VirtualOptions | ReplayOptions) => NativeRadio;
  /** Fills the buffer with prepared records, returns how many: the bare cost of a batch call. */
  fillBatch(into: Uint8Array): number;
}

const BUILT = [
  'out/host/singulate.node',
  'out/cmake-js/Release/singulate.node',
  'out/cmake-js/singulate.node',
  'build/Release/singulate.node',
];

/**
 * Loads the native core: the file that SINGULATE_ADDON names, or else the first build there is.
 * Throws a CONFIG error with one line if none loads.
 */
export function loadAddon(): Addon {
  const named = process.env.SINGULATE_ADDON;
  const candidates = named
    ? [named]
    : BUILT.map((path) => join(PACKAGE_ROOT, path)).filter((path) => existsSync(path));
  const require = createRequire(import.meta.url);
  const reasons: string[] = [];
  for (const path of candidates) {
    try {
      return require(path) as Addon;
    } catch (error) {
      reasons.push(`${path}: ${errorMessage(error).split('\n')[0]}`);
    }
  }
  const why = reasons.length > 0 ? reasons.join('; ') : `none of ${BUILT.join(', ')} exists`;
  throw configError(`the native core does not load (${why}); build it with: npm run build`);
}
