/** The inputs, outputs and LEDs that a configuration may name on this reader. */
import type { Platform } from '../../platform/adapters.js';
import type { RadioLink } from '../radio/radio-link.js';
import { modelOf } from '../reader-model/find-model.js';
import type { Board } from '../state/gpio-led-rules.js';

/** What the interface has names for; a radio that was never seen may have all of it. */
const MOST = { gpis: 4, gpos: 4 };

export async function boardOf(radio: RadioLink, { leds }: Pick<Platform, 'leds'>): Promise<Board> {
  const known = await radio.capabilities().catch(() => undefined);
  const model = known === undefined ? MOST : modelOf(known);
  return {
    gpis: Math.min(model.gpis, MOST.gpis),
    gpos: Math.min(model.gpos, MOST.gpos),
    leds,
  };
}
