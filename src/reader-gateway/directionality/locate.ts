/**
 * From beams to places. The reader hangs over the origin; y is the way in, x is to the right of
 * somebody who goes in. Feet.
 */
import { MAX_ELEVATION } from '../api/directionality.js';

export interface Place {
  x: number;
  y: number;
}

export interface Mounting {
  /** Height of the reader over the tags, in feet. */
  drop: number;
  /** Degrees by which azimuth 0 is turned clockwise from the way in, seen from above. */
  orientation: number;
}

/** One read, placed where its beam hits the plane of the tags. */
export interface Sample extends Place {
  timeMs: number;
  /** Received power in mW. */
  weight: number;
}

export interface Location extends Place {
  /** The mean time of the reads, with the same weights: so a moving tag was there, then. */
  timeMs: number;
  /** Root mean square distance of the beams from the location, in feet. */
  spread: number;
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/**
 * @param azimuth Degrees clockwise from the reader's mark, seen from above.
 * @param elevation Degrees from the vertical: 0 is straight down.
 * @returns Where the beam hits the plane of the tags; undefined if it does not or far away.
 */
export function beamHit(
  azimuth: number,
  elevation: number,
  { drop, orientation }: Mounting,
): Place | undefined {
  if (!Number.isFinite(azimuth) || !(Math.abs(elevation) <= MAX_ELEVATION)) return undefined;
  const distance = drop * Math.tan(radians(elevation));
  const bearing = radians(azimuth + orientation);
  return { x: distance * Math.sin(bearing), y: distance * Math.cos(bearing) };
}

/** Hundredths of a dBm in mW. */
export function powerOf(rssiCdbm: number): number {
  return 10 ** (rssiCdbm / 1000);
}

/** @returns The mean of the samples, weighted with their power; undefined if they have none. */
export function locate(samples: readonly Sample[]): Location | undefined {
  let total = 0;
  let x = 0;
  let y = 0;
  let laterMs = 0;
  // Times are summed up from the first: sums of milliseconds since 1970 would lose digits.
  const startMs = samples[0]?.timeMs ?? 0;
  for (const sample of samples) {
    total += sample.weight;
    x += sample.weight * sample.x;
    y += sample.weight * sample.y;
    laterMs += sample.weight * (sample.timeMs - startMs);
  }
  if (!(total > 0) || !Number.isFinite(total)) return undefined;
  x /= total;
  y /= total;
  let square = 0;
  for (const sample of samples) {
    square += sample.weight * ((sample.x - x) ** 2 + (sample.y - y) ** 2);
  }
  return { x, y, timeMs: startMs + laterMs / total, spread: Math.sqrt(square / total) };
}

/**
 * How well beams agree on a place: 100 if all hit the same, 0 if they are spread as wide as the
 * reader is high over the tags.
 */
export function confidence({ spread }: Location, { drop }: Mounting): number {
  return Math.max(0, 100 * (1 - spread / drop));
}
