/** The actions of one trigger, one after the other. */
import type { Action } from '../api/gpio-led.js';

export class ActionList {
  readonly #actions: readonly Action[];
  readonly #perform: (action: Action) => Promise<void>;
  #running = false;
  #again = false;
  #closed = false;
  /** How often it ran. */
  runs = 0;
  /** Events that came while a run was waiting already. */
  merged = 0;

  /** @param perform Never rejects; skips an action whose conditions do not hold. */
  constructor(actions: readonly Action[], perform: (action: Action) => Promise<void>) {
    this.#actions = actions;
    this.#perform = perform;
  }

  /** While it runs, one more run may wait, whatever the number of events. */
  fire(): void {
    if (!this.#running) void this.#run();
    else if (this.#again) this.merged++;
    else this.#again = true;
  }

  /** The action on its way is the last. */
  close(): void {
    this.#closed = true;
  }

  async #run(): Promise<void> {
    this.#running = true;
    do {
      this.#again = false;
      this.runs++;
      for (const action of this.#actions) {
        if (this.#closed) return;
        await this.#perform(action);
      }
    } while (this.#again && !this.#closed);
    this.#running = false;
  }
}
