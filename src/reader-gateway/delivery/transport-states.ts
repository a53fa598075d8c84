/** Where a transport stands, and where it may go from there: one table for all kinds. */
import type { TransportHandlers, TransportPhase, TransportState } from './transport.js';

/** From up there is no way to trying: it is known that the other side is there, until it is gone. */
const MAY_FOLLOW: Readonly<Record<TransportPhase, readonly TransportPhase[]>> = {
  down: ['down', 'trying', 'up', 'closing'],
  trying: ['trying', 'down', 'up', 'closing'],
  up: ['up', 'down', 'closing'],
  closing: [],
};

export class TransportStates {
  #state: TransportState = { phase: 'down', error: '' };
  #handlers: TransportHandlers | undefined;

  open(handlers: TransportHandlers): void {
    this.#handlers = handlers;
  }

  get phase(): TransportPhase {
    return this.#state.phase;
  }

  /** Messages may be sent. */
  get takes(): boolean {
    return this.phase === 'up' || this.phase === 'trying';
  }

  /** Who is notified; undefined when nothing is reported any more. */
  get handlers(): TransportHandlers | undefined {
    return this.#handlers;
  }

  /**
   * Reports the change. What comes after closing is what sockets say while they end: it is not reported.
   * @param error Why it is not up.
   * @throws if the phase may not follow.
   */
  to(phase: TransportPhase, error = ''): void {
    const before = this.#state;
    if (before.phase === 'closing') return;
    if (!MAY_FOLLOW[before.phase].includes(phase)) {
      throw new Error(`a transport that is ${before.phase} cannot be ${phase} next`);
    }
    if (before.phase === phase && before.error === error) return;
    this.#state = { phase, error };
    if (phase === 'closing') this.#handlers = undefined;
    else this.#handlers?.onState(this.#state);
  }
}
