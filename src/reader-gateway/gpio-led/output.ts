/**
 * One output or LED: the last value that is asked for gets there. What is asked for while another
 * value is on its way takes the place of all that waited, so nothing can pile up behind a slow one.
 */
import { Backoff } from '../../shared/backoff.js';
import type { Clock, Timer } from '../../shared/clock.js';
import { errorMessage, isSingulateError, SingulateError } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';

export type Failure = string | undefined;

/** Something that can be set. */
export interface Settable<V> {
  /**
   * Never rejects.
   * @returns When the value is there, has failed or was overtaken: why it failed, or undefined.
   */
  set(value: V): Promise<Failure>;
}

export interface OutputPort<V> {
  /** For people: GPO 1 */
  name: string;
  write(value: V): Promise<void>;
  /** What others may have made of it; undefined = unknown. */
  present?(): V | undefined;
}

/** A write that takes longer has failed. */
const ANSWER_MS = 2000;
const DONE = Promise.resolve(undefined);

export class Output<V extends string> implements Settable<V> {
  readonly #port: OutputPort<V>;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #backoff = new Backoff({ firstMs: 1000, maxMs: 30_000 });
  #next: V | undefined;
  #written: V | undefined;
  #writing = false;
  #waiting: ((failure: Failure) => void)[] = [];
  #retry: { value: V; timer: Timer } | undefined;
  #lastTrouble = '';
  #closed = false;
  /** Writes that failed. */
  failures = 0;

  constructor(port: OutputPort<V>, clock: Clock, log: Logger) {
    this.#port = port;
    this.#clock = clock;
    this.#log = log;
  }

  get name(): string {
    return this.#port.name;
  }

  /** What it is, or where nobody tells that, what it was last brought to; undefined = unknown. */
  get state(): V | undefined {
    return this.#port.present === undefined ? this.#written : this.#port.present();
  }

  set(value: V): Promise<Failure> {
    if (this.#closed || (!this.#writing && this.#holds(value))) return DONE;
    this.#forget();
    this.#next = value;
    const done = new Promise<Failure>((resolve) => void this.#waiting.push(resolve));
    if (!this.#writing) void this.#write();
    return done;
  }

  /** The other side is there again: what is to be tried later is tried now. */
  retryNow(): void {
    if (this.#retry !== undefined) void this.set(this.#retry.value);
  }

  close(): void {
    this.#closed = true;
    this.#forget();
    this.#next = undefined;
    for (const done of this.#waiting.splice(0)) done(undefined);
  }

  /** Others may know of a change before they tell of it: both must say that it is there. */
  #holds(value: V): boolean {
    if (this.#next !== undefined || this.#written !== value) return false;
    const present = this.#port.present?.();
    return present === undefined || present === value;
  }

  async #write(): Promise<void> {
    this.#writing = true;
    while (this.#next !== undefined) {
      const value = this.#next;
      const waiting = this.#waiting.splice(0);
      this.#next = undefined;
      const failure = this.#holds(value) ? undefined : await this.#attempt(value);
      for (const done of waiting) done(failure);
    }
    this.#writing = false;
  }

  async #attempt(value: V): Promise<Failure> {
    try {
      await this.#inTime(this.#port.write(value));
      this.#written = value;
      this.#backoff.reset();
      if (this.#lastTrouble !== '') this.#log.info({ output: this.name }, 'the output works again');
      this.#lastTrouble = '';
      return undefined;
    } catch (error) {
      const reason = errorMessage(error);
      this.failures++;
      // What it is now is not known.
      this.#written = undefined;
      this.#trouble(reason);
      // What is away comes back; what is refused stays so.
      if (isSingulateError(error, 'UNAVAILABLE')) this.#again(value);
      return reason;
    }
  }

  #again(value: V): void {
    if (this.#closed || this.#next !== undefined) return;
    const timer = this.#clock.setTimeout(() => void this.set(value), this.#backoff.next());
    this.#retry = { value, timer };
  }

  #forget(): void {
    this.#retry?.timer.cancel();
    this.#retry = undefined;
  }

  async #inTime(write: Promise<void>): Promise<void> {
    let timer: Timer | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const error = new SingulateError('UNAVAILABLE', `no answer within ${ANSWER_MS} ms`);
      timer = this.#clock.setTimeout(() => reject(error), ANSWER_MS);
    });
    try {
      await Promise.race([write, late]);
    } finally {
      timer?.cancel();
    }
  }

  /** Logs a failure once, not again with every try that fails for the same reason. */
  #trouble(reason: string): void {
    if (reason === this.#lastTrouble) return;
    this.#lastTrouble = reason;
    this.#log.warn({ output: this.name, reason }, 'an output cannot be set');
  }
}
