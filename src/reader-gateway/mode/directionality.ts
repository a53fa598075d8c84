/** type DIRECTIONALITY: the beams, and how their reads become locations and directions. */

import type { ReaderModel } from '../../shared/reader-model/reader-model.js';
import type { OperatingMode } from '../api/mode.js';
import {
  checkDirectionality,
  type EffectiveDirectionality,
  effectiveDirectionality,
} from '../directionality/settings.js';
import type { Problems } from './problems.js';

export interface DirectionalityPlan {
  settings: EffectiveDirectionality;
  /** Where each beam points, by its number. */
  beams: ReadonlyMap<number, { azimuth: number; elevation: number }>;
}

/** @returns undefined with any other type. */
export function compileDirectionality(
  mode: OperatingMode,
  model: ReaderModel,
  problems: Problems,
): DirectionalityPlan | undefined {
  if (mode.type !== 'DIRECTIONALITY') return undefined;
  if (!model.directionality || model.beams === undefined) {
    problems.add('type', 'DIRECTIONALITY is for array-type readers only');
    return undefined;
  }
  const settings = mode.directionalitySettings;
  if (settings === undefined) {
    problems.add('directionalitySettings', 'is required with type DIRECTIONALITY');
    return undefined;
  }
  checkDirectionality(settings, 'directionalitySettings', (field, message) =>
    problems.add(field, message),
  );
  const given = settings.basicConfig.beamConfig !== undefined;
  if (given && (mode.antennas !== undefined || mode.beams !== undefined)) {
    const other = mode.beams === undefined ? 'antennas' : 'beams';
    problems.add(
      'directionalitySettings.basicConfig.beamConfig',
      `cannot be set together with ${other}`,
    );
  }
  return {
    settings: effectiveDirectionality(settings),
    beams: new Map(model.beams.map(({ number, ...direction }) => [number, direction])),
  };
}
