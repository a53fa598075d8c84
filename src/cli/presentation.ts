/** How a run shows itself to its user: as log lines, or as a live view on a terminal. */
import type { TagRead } from '../contract/messages.js';
import type { RadioFigures } from './radio-watch.js';
import type { OutputStream, Service, ServiceMessage } from './service.js';

export interface Counters {
  reads: number;
  reported: number;
  filtered: number;
  dropped: number;
}

export interface Presentation {
  /** Milliseconds between two looks at the figures of the radio. */
  readonly figuresEveryMs: number;
  begin(services: readonly Service[]): void;
  serviceLine(service: Service, stream: OutputStream, line: string): void;
  serviceMessage(service: Service, message: ServiceMessage): void;
  restart(service: Service, how: string, delayMs: number): void;
  /** All reads; left out: it wants none. */
  reads?(reads: readonly TagRead[]): void;
  firstTagEvent(ms: number): void;
  figures(figures: RadioFigures | undefined): void;
  replayFinished(counters: Counters): void;
  stopping(why: string): void;
  /** Leaves everything tidy; called on every way out, also more than once. Must not wait. */
  end(): void;
}
