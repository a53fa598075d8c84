/** A change of the reader configuration, by whichever operation. */
import type { ReaderConfig } from '../api/config.js';
import { modelOf } from '../reader-model/find-model.js';
import type { Board } from '../state/gpio-led-rules.js';
import type { OperationContext } from './operation.js';

/** What the interface has names for; a radio that was never seen may have all of it. */
const MOST = { gpis: 4, gpos: 4 };

/**
 * Whole or not at all; GPIO-LED is acted on at once.
 * @throws INVALID naming every wrong field.
 */
export async function changeReaderConfig(
  { config, radio, platform, gpioLed }: OperationContext,
  change: unknown,
): Promise<void> {
  const hasGpioLed = (change as ReaderConfig | null)?.['GPIO-LED'] !== undefined;
  const known = hasGpioLed ? await radio.capabilities().catch(() => undefined) : undefined;
  const model = known === undefined ? MOST : modelOf(known);
  const board: Board = {
    gpis: Math.min(model.gpis, MOST.gpis),
    gpos: Math.min(model.gpos, MOST.gpos),
    leds: platform.leds,
  };
  await config.change(change, board);
  // Also if it is as before: outputs that were set otherwise get their defaults again.
  if (hasGpioLed) gpioLed.configure(config.stored['GPIO-LED'] ?? {});
}
