/** Where the events of a run arrive: counts them, and does nothing else with them. */
import type { EventCounter } from '../event-counter.js';

export interface Sink {
  /** What the next events are counted with. */
  counter: EventCounter;
  /** Of a sink that senders come to. */
  readonly port?: number;
  /** Events that the sender has said are lost. */
  readonly lost?: number;
  close(): Promise<void>;
}
