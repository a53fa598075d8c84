/**
 * The native core as TypeScript sees it. The implementation is native/addon/; the records that
 * drain() gives are described in ../record.ts.
 */
import { loadNative } from '../../shared/native-file.js';
import type { VirtualField } from '../scenario/virtual-field.js';

/** Level of a general purpose input, 1..16. */
export interface InputLevel {
  port: number;
  high: boolean;
  debounceMs: number;
}

/** Gen2 codes of target (0..3 sessions, 4 SL), action and bank. */
export interface SelectInput {
  target: number;
  action: number;
  bank: number;
  /** Bits. */
  pointer: number;
  length: number;
  mask: Uint8Array;
  truncate: boolean;
}

export interface AccessInput {
  /** AccessOperation.Kind of the contract. */
  kind: number;
  bank: number;
  wordPointer: number;
  wordCount: number;
  data: Uint8Array;
  password: number;
  lockMask: number;
  lockAction: number;
}

export interface AntennaInput {
  port: number;
  /** Of an array antenna, from 1; 0 = as a whole. */
  beam: number;
  transmitPowerCdbm: number;
  query: {
    session: 0 | 1 | 2 | 3;
    /** 0 = A, 1 = B, 2 = A and B in turns. */
    target: 0 | 1 | 2;
    tagPopulation: number;
    /** 0 = all, 2 = not SL, 3 = SL. */
    sel: 0 | 2 | 3;
  };
  /** 0 = no limit; without any: one round of at most 1/N seconds. */
  dwell: { durationMs: number; rounds: number; input?: InputLevel };
  selects: SelectInput[];
  access: AccessInput[];
  /** Which of `access` are reads of memory for the report. */
  memoryFrom: number;
  memoryCount: number;
}

/** InventoryPlan of the contract, every field given. Powers in hundredths of a dBm. */
export interface PlanInput {
  antennas: AntennaInput[];
  /** '' = the first of the capabilities. */
  linkProfile: string;
  /** More than one: the loop chooses among them and linkProfile. */
  linkProfileCandidates?: readonly string[];
  delayAfterSelectsUs: number;
  minRssiCdbm?: number;
  /** kind: 0 = none, 1 = no tags, 2 = no unique tags. */
  cycleDelay: { kind: number; durationMs: number };
  start: { inputs: InputLevel[]; restart: boolean; atNs: bigint; everyMs: number };
  /** On the air clock; 0 = none. */
  stop: {
    durationMs: number;
    cycles: number;
    tagCount: number;
    noNewTagsMs: number;
    inputs: InputLevel[];
  };
}

/** What the timing model says of a plan; see native/inventory/prediction.h. */
export interface NativePrediction {
  linkProfile: string;
  antennas: {
    tags: number;
    roundUs: number;
    selectsUs: number;
    accessUsPerTag: number;
    readUs: number;
    visitUs: number;
    reads: number;
  }[];
  ceilingPerSecond: number;
}

/** Something on the simulated air. Decoded fields are there for commands that have them. */
export interface AirPacket {
  timeNs: bigint;
  kind: 'carrierOn' | 'carrierOff' | 'command' | 'reply' | 'collision';
  antenna: number;
  frequencyKhz: number;
  bits?: number;
  hex?: string;
  /** Name of the command: Query, Select, Read... */
  command?: string;
  tags?: number;
  session?: number;
  target?: number;
  sel?: number;
  q?: number;
  /** 0 = FM0, 1 = Miller 2, 2 = Miller 4, 3 = Miller 8. */
  coding?: number;
  action?: number;
  bank?: number;
  pointer?: number;
  length?: number;
  mask?: number | string;
  truncate?: boolean;
  wordPointer?: number;
  wordCount?: number;
}

/** A simulated tag as it is. Memory as hexadecimal, whatever is locked. */
export interface AirTag {
  epc: string;
  reserved: string;
  epcBank: string;
  tid: string;
  user: string;
  /** The ten lock bits. */
  lock: number;
  killed: boolean;
  selected: boolean;
  flags: ('A' | 'B')[];
}

/** A simulated field, and how its radio runs. */
export interface VirtualOptions extends VirtualField {
  module: 'virtual';
  /** Kind of module whose features it has (docs/module-features.md). Left out: its own. */
  imitate?: string;
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

/** A module that speaks the Mercury protocol, on a serial line that the native core opens itself. */
export interface MercuryOptions {
  module: 'mercury';
  /** Absolute, of the tty. */
  path: string;
  /** That the module has; left out or 0: it is looked for. */
  baud?: number;
  /** That the module is raised to; 0 = it stays as it is found. Left out: 921600. */
  workBaud?: number;
  /** Number of the protocol; left out or 0: as the module has it. */
  region?: number;
  /** Pins of the module, 1..4, that are inputs and outputs of the reader, in the order of their ports. */
  inputPins?: readonly number[];
  outputPins?: readonly number[];
  queueRecords?: number;
}

/** A driver that was built in from outside the tree (docs/drivers.md). */
export interface DriverOptions {
  /** Its name, not one of the others. */
  module: string & {};
  /** Absolute. */
  path: string;
  settings: Readonly<Record<string, string>>;
  queueRecords?: number;
}

/** LinkProfile of the contract. */
export interface NativeLinkProfile {
  number: number;
  name: string;
  miller: number;
  blfKhz: number;
  tariUs: number;
  pie: number;
  modulation: string;
  sensitivityDbm: number;
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
  /** Of each of them, in their order. */
  linkProfileDetails: NativeLinkProfile[];
  sequencesAntennas: boolean;
  /** Of each of `antennas`: beams 1..n; 0 = no array antenna. */
  beams: number[];
  hasSelects: boolean;
  hasAccess: boolean;
  hasRssiLimit: boolean;
  paced: boolean;
  /** support: 0 refused, 1 as recorded, 2 by the host, 3 by the module (native/radio/features.h). */
  features: { field: string; what: string; support: number }[];
}

/** AccessTagRequest of the contract, every field given but the power. */
export interface AccessRequest {
  /** An EPC, or a mask of a bank (SelectInput). */
  tag: { epc: Uint8Array; bank: number; pointer: number; length: number; mask: Uint8Array };
  /** None: all of the module, or of the running plan. */
  antennas: number[];
  /** Left out: 27 dBm or the module's maximum. Not while an inventory runs. */
  transmitPowerCdbm?: number;
  operations: AccessInput[];
  timeoutMs: number;
}

export interface NativeAccess {
  /** ended: cancelled or paused, or the inventory that it was done beside has ended. */
  outcome: 'done' | 'notFound' | 'ended';
  epc: Uint8Array;
  antenna: number;
  rssiCdbm: number;
  /** status: AccessResult.Status of the contract. */
  results: { status: number; error: number; wordsWritten: number; data: Uint8Array }[];
}

/** Of the running or of the last inventory. */
export interface NativeStatus {
  running: boolean;
  /**
   * '' while running; 'stopped', 'duration', 'cycles', 'tag count', 'no new tags', 'input',
   * 'end of recording' or an error text.
   */
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
  /** Counters of the contract's InventoryCounters. */
  tooWeak: number;
  heldBack: number;
  accessFailed: number;
  periods: number;
  planChanges: number;
  changeGapNs: number;
  /** Times that the link profiles were tried, that another was taken, and the air time of it. */
  linkChecks: number;
  linkChanges: number;
  linkCheckNs: number;
  /** In force; '' before the first inventory. */
  linkProfile: string;
  /** A start condition is awaited. */
  waiting: boolean;
  readsByAntenna: Record<number, number>;
  /** Times that the thread came by: it is not stuck. */
  beats: number;
}

/** What a module says of its surroundings, as far as it has sensors. */
export interface NativeHealth {
  temperatureCelsius?: number;
  antennas: { port: number; connected: boolean }[];
}

/** The connection to a module that can be lost. While an inventory runs it is found again by itself. */
export interface NativeLink {
  connected: boolean;
  /** Why it is not. */
  fault: string;
  /** Why it was not when it was lost last; '' = it never was. */
  lastFault: string;
  reconnects: number;
  /** Of no frame, and what a link that begins again throws away. */
  discardedBytes: number;
  /** Frames that came damaged. */
  crcErrors: number;
  /** Times that the module had no room for its reads. */
  overflows: number;
  /** Of the module while it is connected: "too hot", "no antenna on port 3"; '' = none. */
  complaint: string;
  /** As it told last while it read. */
  temperatureCelsius?: number;
}

/** As the module numbers them, and as its driver names them: by a name of ours, or '' (there is none). */
export interface NativeRegion {
  /** 0 = none. */
  present: number;
  name: string;
  supported: { number: number; name: string }[];
}

/** An emulated module and its field. */
export interface MercuryEmulatorOptions extends VirtualField {
  /** One of MercuryEmulator.profiles(). */
  profile: string;
  /** Bytes take the time that they take on a wire. */
  baudPacing: boolean;
  /** A symbolic link to the pseudo-terminal, also after a replug. */
  link?: string;
}

/** On a thread of its own; does not keep the process alive. */
export interface NativeMercuryEmulator {
  /** What a host opens: the link, or the pseudo-terminal. */
  path(): string;
  counters(): {
    commands: number;
    faults: number;
    records: number;
    lostRecords: number;
    /** Which of them are high: a bit each, from the lowest. */
    pins: number;
  };
  /** @returns false: it cannot have this fault (`unplug` and `replug` need a link). */
  inject(fault: string): boolean;
  close(): void;
}

/** What an inventory does. */
export const PHASE = { ended: 0, reading: 1, waitingForStart: 2 } as const;

/**
 * Errors carry a `code` (ERR_...) and, for options and plans, `violations`. Nothing waits for the
 * module on the JavaScript thread: what needs it is done on another one, in the order of asking. Such
 * a call throws at once what is wrong with asking, and its promise rejects with ERR_RADIO, or
 * ERR_NOT_SUPPORTED, if the module fails.
 */
export interface NativeRadio {
  /**
   * Connects to a module that may not be there, or looks for it again; the other radios are open
   * from the start. Not while an inventory runs. Rejects with the code ERR_RADIO.
   */
  open(): Promise<void>;
  /**
   * Stops and lets go of the module; an open() under way fails. Nothing else may be called.
   * Resolves when the module is let go of; need not be waited for.
   */
  close(): Promise<void>;
  /**
   * Asks the module how it is, while no inventory runs. Rejects with the code ERR_RADIO if it does
   * not answer, or is busy.
   */
  health(): Promise<NativeHealth>;
  /** null: the module cannot be lost. */
  link(): NativeLink | null;
  /** Of the last open() or setRegion(); null: the module has no region of its own. */
  region(): NativeRegion | null;
  /**
   * Holds until the end, also when the module is lost and found again.
   * @param channelsKhz Of the region; none = as the module has them.
   */
  setRegion(number: number, channelsKhz: readonly number[]): Promise<void>;
  capabilities(): NativeCapabilities;
  /**
   * Starts an inventory. `onReadable` is called when the queue has become readable after arm(),
   * and once when the inventory has ended. It must not throw. From now on status() says `running`.
   * Resolves when the module has its settings and the loop begins, which may be told to end already.
   * Throws ERR_INVALID_PLAN or ERR_ALREADY_STARTED.
   */
  start(plan: PlanInput, onReadable: () => void): Promise<void>;
  /**
   * Another plan from the end of the running round on. @returns the number that its reads carry.
   * Throws ERR_INVALID_PLAN or ERR_NOT_RUNNING.
   */
  change(plan: PlanInput): number;
  /**
   * Looks for a tag and operates on it: between two rounds of the inventory that runs, else with
   * the radio for itself, and start() throws ERR_ALREADY_STARTED meanwhile. One at a time. Throws
   * ERR_INVALID_ARGUMENT, ERR_ALREADY_STARTED or ERR_NOT_SUPPORTED; rejects with ERR_RADIO.
   */
  accessTag(request: AccessRequest): Promise<NativeAccess>;
  /** Ends it; the operation that is on the air is finished. No error if there is none. */
  cancelAccess(): void;
  /** Ends the access while its tag is looked for; one that was found is operated on to the end. */
  pauseAccess(): void;
  /**
   * @param tags In the field; 0 = as the plan's queries say.
   * @returns null for a link profile that the timing model does not know.
   */
  predict(plan: PlanInput, tags: number, epcWords: number): NativePrediction | null;
  /** Tells the level of an input, 1..16. */
  setInput(port: number, high: boolean): void;
  /** As it was told, or as the module has it, or high. */
  inputHigh(port: number): boolean;
  /**
   * Sets an output of the module: soon while an inventory runs, else with tendLines(). It is told
   * again to a module that was lost. Throws ERR_INVALID_ARGUMENT if there is none.
   */
  setOutput(port: number, high: boolean): void;
  /**
   * While no inventory runs: sends what changed of the module's outputs, and looks at its inputs.
   * Rejects with the code ERR_RADIO if it does not answer.
   */
  tendLines(): Promise<void>;
  /**
   * Simulated radios: keeps the last packets of the air, from the next round on; 0 = none.
   * Throws ERR_NOT_SUPPORTED for others.
   */
  logPackets(packets: number): void;
  /** Takes the packets out of the log. `lost`: those that found no room since the last call. */
  packets(): { packets: AirPacket[]; lost: number };
  /** Simulated radios, while no inventory runs: the tags in the order of the options. */
  tags(): AirTag[];
  /**
   * Ends inventory and access; no error if there is none. Resolves when both are over: within a few
   * milliseconds, unless the module holds them up.
   */
  stop(): Promise<void>;
  /**
   * How long reads may be collected before the queue has them, milliseconds, 1..1000; the first one
   * after a pause never waits. True: the radio does that by itself, for as much of the time as
   * `COLLECTED_MS` at most, and onReadable is called once for all reads that come together.
   */
  collect(latencyMs: number): boolean;
  /**
   * True: onReadable will be called at the next record, or at the end if that is still to come.
   * False: records are waiting now.
   */
  arm(): boolean;
  /** One of PHASE. For each batch of reads: status() makes an object of thirty values. */
  phase(): number;
  /**
   * Copies records into the buffer, returns how many; never a part of a read. The buffer must have
   * room for 256 records. Also after the end.
   */
  drain(into: Uint8Array): number;
  status(): NativeStatus;
}

/** A radio that collects reads by itself (`collect`) does not do so for longer. */
export const COLLECTED_MS = 10;

/** Lines of a GPIO chip of this machine; everywhere else they are indices into these lists. */
export interface GpioChipOptions {
  /** `/dev/gpiochip0`. */
  path: string;
  /** Offsets in the chip, at most 64. */
  inputs: number[];
  outputs: number[];
  inputsActiveLow: boolean;
  outputsActiveLow: boolean;
  /** Of the inputs. */
  bias: 'as-is' | 'off' | 'pull-up' | 'pull-down';
  /** Of the inputs; 0 = none. */
  debounceUs: number;
  /** Left out: an output keeps the level it has; what was no output before is low. */
  outputLevels?: boolean[];
}

/** Errors of its methods carry the `code` ERR_GPIO. */
export interface NativeGpioChip {
  /**
   * What came since the last time: changes in their order, and the levels after them, which are
   * right also where changes were lost. `lost` counts from the opening. `fault`: why nothing more
   * comes; '' = it goes on.
   */
  take(): {
    changes: { index: number; high: boolean }[];
    inputs: boolean[];
    lost: number;
    fault: string;
  };
  /** Levels of the outputs when they were opened. */
  firstOutputs(): boolean[];
  setOutput(index: number, high: boolean): void;
  close(): void;
}

export interface Addon {
  /** `onReadable` is called when there is something to take, and again only after take(). */
  GpioChip: new (
    options: GpioChipOptions,
    onReadable: () => void,
  ) => NativeGpioChip;
  Radio: new (
    options: VirtualOptions | ReplayOptions | MercuryOptions | DriverOptions,
  ) => NativeRadio;
  MercuryEmulator: {
    new (options: MercuryEmulatorOptions): NativeMercuryEmulator;
    profiles(): string[];
    faults(): string[];
  };
  /** Fills the buffer with prepared records, returns how many: the bare cost of a batch call. */
  fillBatch(into: Uint8Array): number;
}

/** Throws a CONFIG error with one line if the native core does not load. */
export function loadAddon(): Addon {
  return loadNative() as Addon;
}
