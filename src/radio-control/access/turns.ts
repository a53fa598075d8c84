/** Work that is done one at a time, in the order of asking, with a bound for what waits. */
import { SingulateError } from '../../shared/errors.js';

export class Turns {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #busy = false;

  /** @param most May wait. */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Waits for a turn; `end()` ends it. Throws TOO_MANY at once, and the signal's reason.
   */
  async begin(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.#busy) {
      this.#busy = true;
      return;
    }
    if (this.#waiting.length >= this.#most) {
      throw new SingulateError(
        'TOO_MANY',
        `${this.#most} such calls wait already; allowed: no more`,
      );
    }
    await new Promise<void>((resolve, reject) => {
      const go = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(go);
    });
  }

  /** The next one has its turn. */
  end(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#busy = false;
  }
}
