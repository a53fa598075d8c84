/** The whole effective mode with its defaults: the verbose form of get_mode. */
import type { OperatingMode } from '../api/mode.js';
import { effectiveDirectionality } from '../directionality/settings.js';
import { modelOf } from '../reader-model/find-model.js';
import { defaultMetaData } from './meta-data.js';
import { normaliseMode } from './normalise.js';
import { effectiveQuery } from './query.js';
import type { RadioFacts } from './radio-facts.js';
import { intervalOf } from './report-filter.js';
import { PORTAL_DEFAULTS } from './start-stop.js';
import { defaultStopCondition } from './stop-condition.js';
import { powerLimits } from './transmit-power.js';
import { allVisits } from './visits.js';

/**
 * Everything that was set, in the shape and under the names it was set, and the default of
 * everything that was not.
 */
export function effectiveMode(asSet: OperatingMode, radio: RadioFacts): OperatingMode {
  const { mode: normalised, spelling } = normaliseMode(asSet);
  const mode = normalised as OperatingMode;
  const model = modelOf(radio);
  const antennas = mode.antennas ?? allVisits(radio, model).map(({ number }) => number);
  const count = mode.beams?.length ?? antennas.length;
  const query = [mode.query ?? {}].flat().map((one) => effectiveQuery(one, mode.type));
  const effective: OperatingMode = {
    ...mode,
    environment: mode.environment ?? 'HIGH_INTERFERENCE',
    ...(mode.beams === undefined ? { antennas } : {}),
    transmitPower: mode.transmitPower ?? powerLimits(radio, model).defaultDbm,
    antennaStopCondition: mode.antennaStopCondition ?? defaultStopCondition(count),
    // A prefix filter and a query exclude each other, and what is printed can be set again.
    ...(mode.tagIdFilter?.match === 'prefix'
      ? {}
      : { query: Array.isArray(mode.query) ? query : query[0] }),
    tagMetaData: mode.tagMetaData ?? [...defaultMetaData(mode.type)],
    delayBetweenAntennaCycles: mode.delayBetweenAntennaCycles ?? model.delayBetweenAntennaCycles,
    ...settingsOf(mode),
  };
  return Object.fromEntries(
    Object.entries(effective).map(([key, value]) => [spelling.get(key) ?? key, value]),
  ) as OperatingMode;
}

function settingsOf(mode: OperatingMode): Partial<OperatingMode> {
  switch (mode.type) {
    case 'INVENTORY':
      return { inventorySettings: { interval: intervalOf(mode) } };
    case 'PORTAL': {
      const { startTrigger, stopInterval } = mode.portalSettings ?? {};
      return {
        portalSettings: {
          startTrigger: { ...PORTAL_DEFAULTS.startTrigger, ...startTrigger },
          stopInterval: stopInterval ?? PORTAL_DEFAULTS.stopInterval,
        },
      };
    }
    case 'DIRECTIONALITY':
      return mode.directionalitySettings === undefined
        ? {}
        : { directionalitySettings: effectiveDirectionality(mode.directionalitySettings) };
    default:
      return {};
  }
}
