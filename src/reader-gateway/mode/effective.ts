/** The whole effective mode with its defaults: the verbose form of get_mode. */
import type { OperatingMode } from '../api/mode.js';
import { defaultMetaData } from './meta-data.js';
import { effectiveQuery } from './query.js';
import type { RadioFacts } from './radio-facts.js';
import { intervalOf } from './report-filter.js';
import { defaultStopCondition } from './stop-condition.js';
import { defaultPowerDbm } from './transmit-power.js';

/** Everything that was set, in the shape it was set, and the default of everything that was not. */
export function effectiveMode(mode: OperatingMode, radio: RadioFacts): OperatingMode {
  const antennas = mode.antennas ?? [...radio.antennas];
  const query = mode.query ?? {};
  const effective: OperatingMode = {
    ...mode,
    environment: mode.environment ?? 'HIGH_INTERFERENCE',
    antennas,
    transmitPower: mode.transmitPower ?? defaultPowerDbm(radio),
    antennaStopCondition: mode.antennaStopCondition ?? defaultStopCondition(antennas.length),
    query: Array.isArray(query) ? query.map(effectiveQuery) : effectiveQuery(query),
    tagMetaData: mode.tagMetaData ?? [...defaultMetaData(mode.type)],
    delayBetweenAntennaCycles: mode.delayBetweenAntennaCycles ?? { type: 'DISABLED', duration: 0 },
  };
  if (mode.type === 'INVENTORY' && mode.modeSpecificSettings === undefined) {
    effective.inventorySettings = { interval: intervalOf(mode) };
  }
  return effective;
}
