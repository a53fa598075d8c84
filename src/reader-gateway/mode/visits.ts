/** antennas and beams: the visits of the antenna cycle. */

import type { ReaderModel } from '../../shared/reader-model/reader-model.js';
import type { Beam, OperatingMode } from '../api/mode.js';
import type { Problems } from './problems.js';
import type { RadioFacts } from './radio-facts.js';

export interface Visit {
  port: number;
  /** Of an array antenna, from 1; 0 = the antenna as a whole. */
  beam: number;
  /** The antenna as the interface numbers it: the port, or the beam of an array-type reader. */
  number: number;
}

/** A beam that was asked for may be so far from the nearest one that the array has, degrees. */
const NEAREST_DEGREES = 15;

/** @returns The visits in the order of the cycle; all antennas, or the model's beams, by default. */
export function compileVisits(
  mode: OperatingMode,
  radio: RadioFacts,
  model: ReaderModel,
  problems: Problems,
): readonly Visit[] {
  if (mode.beams !== undefined && mode.antennas !== undefined) {
    problems.add('beams', 'cannot be set together with antennas');
  }
  if (mode.beams !== undefined) return fromBeams(mode.beams, 'beams', radio, model, problems);
  const allowed = allVisits(radio, model);
  const { antennas } = mode;
  if (antennas === undefined) return fromBeamConfig(mode, allowed, radio, model, problems);
  return antennas.map((number, index) => {
    const visit = allowed.find((one) => one.number === number);
    if (visit === undefined) {
      const numbers = allowed.map((one) => one.number).join(', ');
      const what = model.beams === undefined ? "radio's antennas" : "reader's beams";
      problems.add(`antennas[${index}]`, `${number} is not one of the ${what} ${numbers}`);
    } else if (antennas.indexOf(number) !== index) {
      problems.add(`antennas[${index}]`, `${number} is listed twice`);
    }
    return visit ?? { port: number, beam: 0, number };
  });
}

/** Every antenna of the reader. */
export function allVisits(radio: RadioFacts, model: ReaderModel): Visit[] {
  const array = radio.beams.findIndex((beams) => beams > 0);
  const port = radio.antennas[array];
  if (model.beams === undefined || port === undefined) {
    return radio.antennas.map((number) => ({ port: number, beam: 0, number }));
  }
  const most = radio.beams[array] ?? 0;
  return model.beams
    .filter(({ number }) => number <= most)
    .map(({ number }) => ({ port, beam: number, number }));
}

/** The beams of a DIRECTIONALITY mode; all antennas with any other type. */
function fromBeamConfig(
  mode: OperatingMode,
  all: readonly Visit[],
  radio: RadioFacts,
  model: ReaderModel,
  problems: Problems,
): readonly Visit[] {
  const config = mode.directionalitySettings?.basicConfig.beamConfig;
  const field = 'directionalitySettings.basicConfig.beamConfig';
  if (config?.beams !== undefined) {
    return fromBeams(config.beams, `${field}.beams`, radio, model, problems);
  }
  const polarization = config?.density?.polarization;
  if (polarization !== undefined && !model.polarizations?.includes(polarization)) {
    const names = model.polarizations?.join(', ');
    problems.add(`${field}.density.polarization`, `${polarization} is not one of ${names}`);
  }
  // The array has no more beams than its default set, so DENSE is DEFAULT.
  return config?.density?.type === 'SPARSE' ? all.filter((_, index) => index % 2 === 0) : all;
}

function fromBeams(
  beams: readonly Beam[],
  field: string,
  radio: RadioFacts,
  model: ReaderModel,
  problems: Problems,
): Visit[] {
  if (model.beams === undefined) {
    problems.add('beams', 'can only be set on an array-type reader');
    return [];
  }
  const allowed = allVisits(radio, model);
  const { polarizations = [], beams: known } = model;
  const taken = new Set<number>();
  return beams.map((beam, index) => {
    const { polarization } = beam;
    if (polarization !== undefined && !polarizations.includes(polarization)) {
      const names = polarizations.join(', ');
      problems.add(`${field}[${index}].polarization`, `${polarization} is not one of ${names}`);
    }
    const near = known
      .map((one) => ({ number: one.number, degrees: angleBetween(one, beam) }))
      .reduce((best, one) => (one.degrees < best.degrees ? one : best));
    const visit = allowed.find(({ number }) => number === near.number);
    if (near.degrees > NEAREST_DEGREES || visit === undefined) {
      problems.add(
        `${field}[${index}]`,
        `azimuth ${beam.azimuth}, elevation ${beam.elevation} is ${near.degrees.toFixed(0)} ` +
          `degrees from the nearest beam; allowed: at most ${NEAREST_DEGREES}`,
      );
    } else if (taken.has(near.number)) {
      problems.add(`${field}[${index}]`, `is the same beam ${near.number} as one before it`);
    }
    taken.add(near.number);
    return visit ?? { port: 0, beam: near.number, number: near.number };
  });
}

/** Degrees between two directions; elevation counts from the vertical. */
function angleBetween(
  a: { azimuth: number; elevation: number },
  b: { azimuth: number; elevation: number },
): number {
  const rad = Math.PI / 180;
  const cosine =
    Math.cos(a.elevation * rad) * Math.cos(b.elevation * rad) +
    Math.sin(a.elevation * rad) *
      Math.sin(b.elevation * rad) *
      Math.cos((a.azimuth - b.azimuth) * rad);
  return Math.acos(Math.min(1, Math.max(-1, cosine))) / rad;
}
