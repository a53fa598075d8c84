/** Tells of messages that got no answer: the first at once, then at most a line in 10 s sums up. */
import type { Logger } from '../../shared/log.js';

const EVERY_MS = 10_000;

export class IgnoredLog {
  readonly #log: Logger;
  #messages = 0;
  #why = '';
  #lastMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  add(why: string): void {
    this.#messages++;
    this.#why = why;
    const waitMs = Math.max(0, this.#lastMs + EVERY_MS - Date.now());
    this.#timer ??= setTimeout(() => this.#tell(), waitMs).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    if (this.#messages > 0) this.#tell();
  }

  #tell(): void {
    this.#timer = undefined;
    this.#lastMs = Date.now();
    this.#log.warn({ messages: this.#messages }, this.#why);
    this.#messages = 0;
  }
}
