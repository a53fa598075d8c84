/** What an update engine is: a device with two slots, one of which runs. Its reboots are the platform's. */
/** The parts of the software that an update may change, as the interface names them. */
export const UPDATE_PARTS = [
  'os',
  'rootFileSystem',
  'applications',
  'radioFirmware',
  'platform',
] as const;
export type UpdatePart = (typeof UPDATE_PARTS)[number];

/**
 * `trial`: boots a few times, then no longer, unless it is marked good. `failed`: it was on trial,
 * and the device went back. `bad`: not bootable for any other reason.
 */
export const SLOT_STATES = ['good', 'trial', 'failed', 'bad', 'empty'] as const;
export type SlotState = (typeof SLOT_STATES)[number];

export interface Slot {
  name: string;
  /** The one that runs. */
  booted: boolean;
  /** The one that boots next. */
  primary: boolean;
  state: SlotState;
  /** Empty: not known. */
  version: string;
}

export interface EngineStatus {
  /** False while it installs, no matter who asked for that. */
  idle: boolean;
  /** Why the last installation failed; empty if it did not. */
  lastError: string;
}

export interface BundleInfo {
  version: string;
  /** Kind of device that the bundle is for. */
  compatible: string;
}

/** Percent. */
export interface InstallProgress {
  overall: number;
  parts: Partial<Record<UpdatePart, number>>;
}

/** Never changes the slot that runs. @throws UNAVAILABLE if the device cannot be asked. */
export interface UpdateEngine {
  /** To be called once, before anything else. */
  open(): Promise<void>;
  slots(): Promise<Slot[]>;
  status(): Promise<EngineStatus>;
  /** Is the bundle whole, signed by whom we trust, and for this device? @throws why not */
  check(file: string): Promise<BundleInfo>;
  /**
   * Writes the bundle to the slot that does not run, which cannot boot until it is activated.
   * Waits for an installation that runs already.
   * @param onProgress May be called often.
   * @returns Name of the slot.
   */
  install(
    file: string,
    onProgress: (progress: InstallProgress) => void,
    signal: AbortSignal,
  ): Promise<string>;
  /** The slot boots next, on trial unless it is the one that runs. May be called again. */
  activate(slot: string): Promise<void>;
  /** Why the booted version is not well, as far as the device knows; empty: nothing is wrong. */
  selfTest(): Promise<string>;
  /** The booted slot is no longer on trial. May be called again. */
  markGood(): Promise<void>;
  /** The slot to go back to, if there is one that boots. */
  revertSlot(): Promise<Slot | undefined>;
  /** The booted slot is given up: the other boots next. */
  rollBack(): Promise<void>;
  /** Version of the applications in the booted slot; undefined: as this process says. */
  applicationVersion(): Promise<string | undefined>;
}
