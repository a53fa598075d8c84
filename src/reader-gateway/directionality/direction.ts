/** The direction of a tag: a line through its latest places along the way. */
import type { Direction } from '../api/directionality.js';
import type { EffectiveAdvanced } from './settings.js';

export interface Waypoint {
  timeMs: number;
  /** Feet along the way in; 0 is under the reader. */
  y: number;
}

/** @returns Feet per second and the mean of the points; undefined if all have the same time. */
function fitLine(points: readonly Waypoint[]) {
  const n = points.length;
  const startMs = points[0]?.timeMs ?? 0;
  const meanMs = startMs + points.reduce((sum, { timeMs }) => sum + timeMs - startMs, 0) / n;
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / n;
  let covariance = 0;
  let variance = 0;
  for (const { timeMs, y } of points) {
    const seconds = (timeMs - meanMs) / 1000;
    covariance += seconds * (y - meanY);
    variance += seconds * seconds;
  }
  if (!(variance > 0)) return undefined;
  return { slope: covariance / variance, meanMs, meanY };
}

/** Milliseconds from the first to the last point. Their order is not quite that of time. */
function span(points: readonly Waypoint[]): number {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { timeMs } of points) {
    first = Math.min(first, timeMs);
    last = Math.max(last, timeMs);
  }
  return last - first;
}

export interface Way {
  /** Where the tag was, in the last direction_lookback_seconds or longer. */
  points: readonly Waypoint[];
  /** The lookback ends here. */
  lastReadMs: number;
  /** The end of the way the tag's zone belongs to. */
  end: 'IN' | 'OUT' | undefined;
  /** Where to it was seen to cross the line under the reader last. */
  crossed: 'IN' | 'OUT' | undefined;
}

/**
 * @returns UNKNOWN: too few points, or the final zone contradicts. NONE: the tag stood, was too
 *   slow, or was not seen to cross the line under the reader and is too far from it.
 */
export function directionOf(way: Way, rules: EffectiveAdvanced): Direction {
  const lookbackMs = rules.direction_lookback_seconds * 1000;
  const sinceMs = way.lastReadMs - lookbackMs;
  const used = way.points.filter(({ timeMs }) => timeMs >= sinceMs);
  if (used.length < rules.regression_min_n) return 'UNKNOWN';
  const seconds = span(used) / 1000;
  if (seconds < rules.regression_min_duration_seconds) return 'UNKNOWN';
  const line = fitLine(used);
  if (line === undefined) return 'UNKNOWN';

  const speed = Math.abs(line.slope);
  // The default threshold is 0: without the second rule the noise of a standing tag had a direction.
  if (speed <= rules.regression_slope_threshold) return 'NONE';
  if (speed * seconds < rules.hysteresis_feet) return 'NONE';

  const direction = line.slope > 0 ? 'IN' : 'OUT';
  if (way.crossed !== direction) {
    // Not seen: then the line must cross within the lookback, or not too long before or after it.
    const crossingMs = line.meanMs - (line.meanY / line.slope) * 1000;
    const reachMs = rules.regression_extrapolation_multiplier * lookbackMs;
    if (crossingMs < sinceMs - reachMs || crossingMs > way.lastReadMs + reachMs) return 'NONE';
  }
  const contradicted = way.end !== undefined && way.end !== direction;
  return rules.confirm_direction_with_final_zone && contradicted ? 'UNKNOWN' : direction;
}
