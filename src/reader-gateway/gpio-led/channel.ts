/** One output or LED as the actions drive it: the action that came last has it. */
import type { Clock } from '../../shared/clock.js';
import type { Blink as BlinkTimes } from '../api/gpio-led.js';
import { Blink } from './blink.js';
import type { Settable } from './output.js';

/** What an action wants of an output. */
export interface Wish<V> {
  value: V;
  /** Between the values of a blink. */
  off: V;
  blink?: BlinkTimes | undefined;
  /** After the blink. */
  after: V;
}

export class Channel<V> {
  #blink: { of: object; blink: Blink; off: V } | undefined;
  /** All whose end a list waits for, also those that lost the output: one for each list. */
  readonly #awaited = new Set<Blink>();

  constructor(
    private readonly output: Settable<V>,
    private readonly clock: Clock,
  ) {}

  /**
   * @param of Whose wish it is: one that blinks for it without an end already goes on as it does.
   * @returns When it is done; a blink without an end is done when it began.
   */
  async drive(of: object, { value, off, blink: times, after }: Wish<V>): Promise<void> {
    if (times?.DURATION === 0 && this.#blink?.of === of) return;
    this.#take();
    if (times === undefined) {
      await this.output.set(value);
      return;
    }
    const blink = new Blink(this.clock, times, (on) => void this.output.set(on ? value : off));
    const mine = { of, blink, off };
    this.#blink = mine;
    if (times.DURATION === 0) return;
    this.#awaited.add(blink);
    await blink.over;
    this.#awaited.delete(blink);
    if (this.#blink !== mine) return;
    this.#blink = undefined;
    await this.output.set(after);
  }

  /** Ends what drives it. @param value What it is then; left out: as it is, off if it blinked. */
  rest(value?: V): void {
    const ended = this.#blink;
    this.close();
    const left = value ?? ended?.off;
    if (left !== undefined) void this.output.set(left);
  }

  /** Ends what drives it, and leaves it as it is. */
  close(): void {
    this.#blink?.blink.stop();
    this.#blink = undefined;
    for (const blink of this.#awaited) blink.stop();
  }

  /** A blink that has lost its output holds up its list as long as it would have lasted. */
  #take(): void {
    this.#blink?.blink.lose();
    this.#blink = undefined;
  }
}
