/** A change of the reader configuration, by whichever operation. */
import { invalid, isSingulateError, seenFrom } from '../../shared/errors.js';
import type { ReaderConfig } from '../api/config.js';
import { boardOf } from '../gpio-led/board.js';
import type { OperationContext } from './operation.js';

/**
 * Whole or not at all; GPIO-LED is acted on at once.
 * @throws INVALID naming every wrong field.
 */
export async function changeReaderConfig(
  { config, radio, platform, gpioLed }: OperationContext,
  change: unknown,
): Promise<void> {
  const hasGpioLed = (change as ReaderConfig | null)?.['GPIO-LED'] !== undefined;
  await config.change(change, hasGpioLed ? await boardOf(radio, platform) : undefined);
  // Also if it is as before: outputs that were set otherwise get their defaults again.
  if (hasGpioLed) gpioLed.configure(config.stored['GPIO-LED'] ?? {});
}

/** For operations on a part of the configuration: errors name the fields as the client sees them. */
export async function changePart(part: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isSingulateError(error, 'INVALID')) throw error;
    throw invalid(seenFrom(part, error.violations));
  }
}
