/**
 * When nothing is sent. After a failed send: at least until the event loop has turned, so that sends
 * that fail at once cannot keep it from turning, and longer with each failure until a message
 * arrives. News of the transport ends the wait, but never the turn.
 */
import { Backoff } from '../../shared/backoff.js';
import type { Clock, Timer } from '../../shared/clock.js';

const FIRST_MS = 10;
const LONGEST_MS = 1000;

export class Pause {
  readonly #clock: Clock;
  readonly #onOver: () => void;
  readonly #backoff = new Backoff({ firstMs: FIRST_MS, maxMs: LONGEST_MS });
  #turn: NodeJS.Immediate | undefined;
  #wait: Timer | undefined;

  constructor(clock: Clock, onOver: () => void) {
    this.#clock = clock;
    this.#onOver = onOver;
  }

  get isOn(): boolean {
    return this.#turn !== undefined || this.#wait !== undefined;
  }

  /** Until the event loop has turned. */
  forTurn(): void {
    this.#turn ??= setImmediate(() => {
      this.#turn = undefined;
      if (!this.isOn) this.#onOver();
    });
  }

  /** A send has failed; those that fail together count once. */
  afterFailure(): void {
    this.forTurn();
    this.#wait ??= this.#clock.setTimeout(() => {
      this.#wait = undefined;
      if (!this.isOn) this.#onOver();
    }, this.#backoff.next());
  }

  /** A message has arrived: the next failure is the first again. */
  forget(): void {
    this.#backoff.reset();
  }

  /** Waits no longer than the turn. */
  cut(): void {
    this.#wait?.cancel();
    this.#wait = undefined;
  }

  close(): void {
    this.cut();
    clearImmediate(this.#turn);
    this.#turn = undefined;
  }
}
