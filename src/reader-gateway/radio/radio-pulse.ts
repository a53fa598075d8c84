/**
 * Whether the radio service is alive, by what is heard of it. One that hangs keeps its connections
 * and its streams, and answers nothing: only time tells.
 */
import { SingulateError } from '../../shared/errors.js';

const TICK_MS = 250;
/** Nothing was heard for so long: it is asked. */
const PROBE_AFTER_MS = 1000;
/** It was asked, no matter by whom, and nothing was heard for so long: it hangs. */
const SILENT_MS = 2000;
/**
 * No call waits for longer, whatever else is heard: who asks has an answer within 3 s. One that waits so
 * long is silence too, until something is answered again.
 */
const LONGEST_CALL_MS = 2500;

export interface PulseHandlers {
  /** Asks the service something that costs it nothing. */
  probe(): Promise<unknown>;
  /** It hangs. */
  onSilent(): void;
  /** It answers again. */
  onHeard(): void;
}

export class RadioPulse {
  readonly #handlers: PulseHandlers;
  /** What ends the calls that wait, and since when they do, milliseconds. */
  readonly #waiting = new Map<(error: SingulateError) => void, number>();
  #timer: NodeJS.Timeout | undefined;
  #tickedAt = 0;
  /** Since something was heard, milliseconds. */
  #quietMs = 0;
  /** Of these, with a call that waits. */
  #unansweredMs = 0;
  #isSilent = false;
  #isProbing = false;
  /** What it says by itself is no sign of life: it did not answer. */
  #owesAnswer = false;

  constructor(handlers: PulseHandlers) {
    this.#handlers = handlers;
  }

  get isSilent(): boolean {
    return this.#isSilent;
  }

  open(): void {
    this.#tickedAt = performance.now();
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** The service has said something by itself. */
  heard(): void {
    this.#quietMs = 0;
    this.#unansweredMs = 0;
    if (!this.#isSilent || this.#owesAnswer) return;
    this.#isSilent = false;
    this.#handlers.onHeard();
  }

  /** The service has answered, whatever it is. */
  answered(): void {
    this.#owesAnswer = false;
    this.heard();
  }

  /**
   * What the call gives, or an error as soon as the service is known to hang: then nobody knows
   * whether it takes the call when it goes on. A service that hangs is not called.
   * @throws UNAVAILABLE, or what the call throws.
   */
  ask<T>(call: () => Promise<T>): Promise<T> {
    return this.#isSilent ? Promise.reject(noAnswer()) : this.#wait(call);
  }

  #wait<T>(call: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(reject, 0);
      call()
        .then(resolve, reject)
        .finally(() => this.#waiting.delete(reject));
    });
  }

  #tick(): void {
    const now = performance.now();
    // A time in which this service itself did not run does not count: nothing could be heard.
    const passed = Math.min(now - this.#tickedAt, 2 * TICK_MS);
    this.#tickedAt = now;
    this.#quietMs += passed;
    this.#unansweredMs = this.#waiting.size === 0 ? 0 : this.#unansweredMs + passed;
    if (this.#unansweredMs >= SILENT_MS && !this.#isSilent) this.#becomeSilent();
    let longestMs = 0;
    for (const [end, waitedMs] of this.#waiting) {
      longestMs = Math.max(longestMs, waitedMs);
      this.#waiting.set(end, waitedMs + passed);
    }
    if (longestMs >= LONGEST_CALL_MS) {
      this.#owesAnswer = true;
      this.#becomeSilent();
    }
    const isDue = this.#quietMs >= PROBE_AFTER_MS || this.#owesAnswer;
    if (isDue && !this.#isProbing) void this.#probe();
  }

  #becomeSilent(): void {
    this.#isSilent = true;
    for (const end of this.#waiting.keys()) end(noAnswer());
    this.#waiting.clear();
    this.#handlers.onSilent();
  }

  async #probe(): Promise<void> {
    this.#isProbing = true;
    // It tells of its answer by itself; of one that does not come there is nothing to tell.
    await this.#wait(() => this.#handlers.probe()).catch(() => {});
    this.#isProbing = false;
  }
}

function noAnswer(): SingulateError {
  return new SingulateError(
    'UNAVAILABLE',
    'the radio is not connected: its service does not answer',
  );
}
