/** At DEBUG, what the radio did in each second of reading. */
import type { Logger } from '../shared/log.js';
import type { NativeStatus } from './addon/addon.js';

const EVERY_MS = 1000;

const COUNTERS = [
  'rounds',
  'cycles',
  'reads',
  'dropped',
  'emptySlots',
  'singleSlots',
  'collidedSlots',
  'tooWeak',
  'heldBack',
  'accessFailed',
] as const satisfies readonly (keyof NativeStatus)[];

export class RoundsLog {
  readonly #log: Logger;
  readonly #status: () => NativeStatus;
  #timer: NodeJS.Timeout | undefined;
  #before: NativeStatus | undefined;

  constructor(log: Logger, status: () => NativeStatus) {
    this.#log = log;
    this.#status = status;
  }

  /** An inventory begins. */
  begin(): void {
    clearInterval(this.#timer);
    this.#before = undefined;
    this.#timer = setInterval(() => this.#tell(), EVERY_MS);
    this.#timer.unref();
  }

  end(): void {
    this.#tell();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tell(): void {
    if (!this.#log.isLevelEnabled('debug')) {
      this.#before = undefined;
      return;
    }
    const now = this.#status();
    const since = (name: (typeof COUNTERS)[number]) => now[name] - (this.#before?.[name] ?? 0);
    const readsByAntenna = Object.fromEntries(
      Object.entries(now.readsByAntenna).flatMap(([antenna, reads]) => {
        const more = reads - (this.#before?.readsByAntenna[Number(antenna)] ?? 0);
        return more === 0 ? [] : [[antenna, more]];
      }),
    );
    this.#log.debug(
      {
        ...Object.fromEntries(COUNTERS.map((name) => [name, since(name)])),
        readsByAntenna,
        waiting: now.waiting,
      },
      'rounds of the last second',
    );
    this.#before = now;
  }
}
