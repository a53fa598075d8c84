/** A light that nobody sees: an emulated device only remembers what it shows. */
import { LED_COLORS, type Led, type LedColor } from '../adapters.js';

export class EmulatedLed implements Led {
  readonly colors = LED_COLORS;
  shown: LedColor | 'OFF' = 'OFF';

  async set(color: LedColor | 'OFF'): Promise<void> {
    this.shown = color;
  }
}
