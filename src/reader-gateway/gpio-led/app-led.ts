/**
 * The application LED: the last LED of the reader. What an application sets lies over what the
 * actions make of it, until its time is over.
 */
import type { LedColor } from '../../platform/adapters.js';
import type { Clock } from '../../shared/clock.js';
import { invalid, SingulateError } from '../../shared/errors.js';
import type { AppLedAnswer, AppLedState, SetAppLed } from '../api/app-led.js';
import { show } from '../api/validate.js';
import { Blink } from './blink.js';
import type { Failure, Settable } from './output.js';

type Shown = LedColor | 'OFF';

const FLASH_MS = 500;

export class AppLed implements Settable<Shown> {
  #below: Shown = 'OFF';
  #over: Blink | undefined;

  /** @param led undefined: the reader has none. */
  constructor(
    private readonly led: Settable<Shown> | undefined,
    private readonly colors: readonly LedColor[],
    private readonly clock: Clock,
  ) {}

  get state(): AppLedState {
    return this.#over === undefined ? 'DEFAULT' : 'NON_DEFAULT';
  }

  /** What it shows while no application sets it. */
  async set(color: Shown): Promise<Failure> {
    this.#below = color;
    return this.#over === undefined ? this.led?.set(color) : undefined;
  }

  /** @throws INVALID, STATE (there is no LED), UNAVAILABLE: then it shows what it would without. */
  async override({ color, seconds, flash = false }: SetAppLed): Promise<AppLedAnswer> {
    if (this.led === undefined) throw new SingulateError('STATE', 'this reader has no LEDs');
    const shown = color.toUpperCase() as Shown;
    if (seconds === 0 && shown !== 'OFF') {
      const message = `${show(color)} with seconds 0: only off is allowed`;
      throw invalid([{ field: 'color', message }]);
    }
    if (shown !== 'OFF' && !this.colors.includes(shown)) {
      const allowed = [...this.colors.map((one) => one.toLowerCase()), 'off'].join(', ');
      const message = `${show(color)} is not one of ${allowed}, which this LED can show`;
      throw invalid([{ field: 'color', message }]);
    }
    const { led } = this;
    const end = () => {
      this.#over?.stop();
      this.#over = undefined;
    };
    end();
    const failure = await led.set(shown);
    if (failure !== undefined) {
      void led.set(this.#below);
      throw new SingulateError('UNAVAILABLE', failure);
    }
    if (seconds === 0) {
      this.#below = 'OFF';
      return 'The application LED is off';
    }
    // Another one may have come meanwhile.
    end();
    const DURATION = seconds * 1000;
    const times = { ON: flash ? FLASH_MS : DURATION, OFF: flash ? FLASH_MS : 0, DURATION };
    const over = new Blink(this.clock, times, (on) => void led.set(on ? shown : 'OFF'));
    this.#over = over;
    void over.over.then(() => {
      if (this.#over !== over) return;
      this.#over = undefined;
      void led.set(this.#below);
    });
    const how = shown === 'OFF' ? 'off' : `${flash ? 'flashing ' : ''}${color}`;
    return `The application LED is ${how} for ${seconds} s`;
  }

  /** Leaves the LED as it is. */
  close(): void {
    this.#over?.stop();
  }
}
