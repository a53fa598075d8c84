/** Whether the thread of the inventory, which is native, still comes round. */

/** Longer than any wait of a module driver for its module. */
const STUCK_AFTER_MS = 15_000;

export interface Beating {
  running: boolean;
  /** Times that the thread came by; says nothing while it waits for its consumer. */
  beats: number;
}

export class ThreadWatch {
  readonly #look: () => Beating;
  readonly #now: () => number;
  #beats = -1;
  #since = 0;

  constructor(look: () => Beating, now: () => number = () => performance.now()) {
    this.#look = look;
    this.#now = now;
  }

  /** Why it is stuck; '' = it is not. To be asked every few seconds. */
  stuck(): string {
    const { running, beats } = this.#look();
    const now = this.#now();
    if (!running || beats !== this.#beats) {
      this.#beats = running ? beats : -1;
      this.#since = now;
      return '';
    }
    const silentMs = now - this.#since;
    return silentMs < STUCK_AFTER_MS ? '' : 'the radio thread does not come round any more';
  }
}
