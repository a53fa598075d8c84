/** radioStartConditions and radioStopConditions, and those that PORTAL has of its own. */

import type { ReaderModel } from '../../shared/reader-model/reader-model.js';
import type { OperatingMode } from '../api/mode.js';
import { compileGpi, compileGpis, type InputPlan } from './inputs.js';
import type { Problems } from './problems.js';

/** The contract's StartConditions. */
export interface StartPlan {
  inputs: InputPlan[];
  restart: boolean;
  atNs: number;
  everyMs: number;
}

/** The contract's StopConditions. */
export interface StopPlan {
  durationMs: number;
  cycles: number;
  tagCount: number;
  noNewTagsMs: number;
  inputs: InputPlan[];
}

export const PORTAL_DEFAULTS = {
  startTrigger: { port: 1, signal: 'LOW' },
  stopInterval: 3,
} as const;

/** @returns undefined = at once. */
export function compileStart(
  mode: OperatingMode,
  model: ReaderModel,
  problems: Problems,
): StartPlan | undefined {
  const start = mode.radioStartConditions;
  if (mode.type === 'PORTAL') {
    if (start !== undefined) {
      problems.add(
        'radioStartConditions',
        'cannot be set with type PORTAL; use portalSettings.startTrigger',
      );
    }
    const trigger = { ...PORTAL_DEFAULTS.startTrigger, ...mode.portalSettings?.startTrigger };
    const input = compileGpi(trigger, 'portalSettings.startTrigger', model, problems);
    return { inputs: [input], restart: true, atNs: 0, everyMs: 0 };
  }
  if (start === undefined) return undefined;
  const field = 'radioStartConditions';
  if (start.type === 'SCHEDULE') {
    if (start.gpis !== undefined) problems.add(`${field}.gpis`, 'has no meaning with SCHEDULE');
    const { at, every } = start.schedule ?? {};
    if (at === undefined && every === undefined) {
      problems.add(`${field}.schedule`, 'needs at, every, or both');
    }
    const atMs = at === undefined ? 0 : Date.parse(at);
    if (Number.isNaN(atMs)) problems.add(`${field}.schedule.at`, `"${at}" is not an ISO 8601 time`);
    return {
      inputs: [],
      restart: false,
      atNs: Number.isNaN(atMs) ? 0 : atMs * 1e6,
      everyMs: Math.round((every ?? 0) * 1000),
    };
  }
  if (start.schedule !== undefined) {
    problems.add(`${field}.schedule`, `has no meaning with ${start.type}`);
  }
  if (start.gpis === undefined || start.gpis.length === 0) {
    problems.add(`${field}.gpis`, `needs at least 1 entry with ${start.type}`);
  }
  return {
    inputs: compileGpis(start.gpis, `${field}.gpis`, model, problems),
    restart: start.type === 'GPI_WITH_RESTART',
    atNs: 0,
    everyMs: 0,
  };
}

/** @returns undefined = until a stop. */
export function compileStop(
  mode: OperatingMode,
  model: ReaderModel,
  problems: Problems,
): StopPlan | undefined {
  const stop = mode.radioStopConditions;
  const field = 'radioStopConditions';
  const both = stop?.tagCount !== undefined && stop.durationAfterNoMoreUniqueTags !== undefined;
  if (both) {
    problems.add(
      `${field}.tagCount`,
      'cannot be set together with radioStopConditions.durationAfterNoMoreUniqueTags',
    );
  }
  let quietSeconds = stop?.durationAfterNoMoreUniqueTags ?? 0;
  if (mode.type === 'PORTAL') {
    if (stop?.durationAfterNoMoreUniqueTags !== undefined) {
      problems.add(
        `${field}.durationAfterNoMoreUniqueTags`,
        'cannot be set with type PORTAL; use portalSettings.stopInterval',
      );
    }
    quietSeconds = mode.portalSettings?.stopInterval ?? PORTAL_DEFAULTS.stopInterval;
  } else if (stop === undefined || Object.keys(stop).length === 0) {
    return undefined;
  }
  return {
    durationMs: Math.round((stop?.duration ?? 0) * 1000),
    cycles: stop?.antennaCycles ?? 0,
    tagCount: stop?.tagCount ?? 0,
    noNewTagsMs: Math.round(quietSeconds * 1000),
    inputs: compileGpis(stop?.gpis, `${field}.gpis`, model, problems),
  };
}
