/** The states of all connections, for the one who started this service. */
import type { EndpointStatus } from './endpoint-status.js';

/** Tells the states of the connections when they differ, at most once a second. */
export class EndpointReport {
  #lastText = '';
  #lastMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly read: () => EndpointStatus[],
    private readonly tell: (endpoints: EndpointStatus[]) => void,
  ) {}

  changed(): void {
    if (this.#timer !== undefined) return;
    const waitMs = Math.max(0, this.#lastMs + 1000 - Date.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#lastMs = Date.now();
      const endpoints = this.read();
      const text = JSON.stringify(endpoints);
      if (text === this.#lastText) return;
      this.#lastText = text;
      this.tell(endpoints);
    }, waitMs);
    this.#timer.unref();
  }
}
