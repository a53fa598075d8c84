/** The zones of a zone plan and the zone a tag is in. */
import type { Place } from './locate.js';
import type { EffectiveBasic } from './settings.js';

/** An area with borders along the axes; a zone at the edge of the plan has no outer border. */
export interface Zone {
  name: string;
  /** The end of the way it belongs to; the sides belong to none. */
  end?: 'IN' | 'OUT';
  xMin: number;
  xMax: number;
  yMin: number;
  yMax: number;
}

/**
 * Plan 4: out far, out near, in near, in far, each as wide as the reader can see.
 * Plan 6: the near zones are as wide as they are long together, then comes the left and the right.
 */
export function zonesOf(basic: EffectiveBasic): Zone[] {
  const { zonePlan, innerZoneWidth: width, zoneExtension: extension, zoneNames } = basic;
  const far = Number.POSITIVE_INFINITY;
  const side = zonePlan === 6 ? width : far;
  const areas: Omit<Zone, 'name'>[] = [
    { end: 'OUT', xMin: -far, xMax: far, yMin: -far, yMax: -width },
    { end: 'OUT', xMin: -side, xMax: side, yMin: -width, yMax: extension },
    { end: 'IN', xMin: -side, xMax: side, yMin: -extension, yMax: width },
    { end: 'IN', xMin: -far, xMax: far, yMin: width, yMax: far },
  ];
  if (zonePlan === 6) {
    areas.push({ xMin: -far, xMax: -side, yMin: -width, yMax: width });
    areas.push({ xMin: side, xMax: far, yMin: -width, yMax: width });
  }
  return areas.map((area, index) => ({ name: zoneNames[index] ?? `ZONE${index + 1}`, ...area }));
}

/** @returns Feet from the nearest border; negative outside. */
export function depthIn(zone: Zone, { x, y }: Place): number {
  return Math.min(x - zone.xMin, zone.xMax - x, y - zone.yMin, zone.yMax - y);
}

/** Where a tag is, and what it takes to go back. */
export interface Stay {
  zone: Zone;
  /** It has come further into the zone than the hysteresis: it may go anywhere again. */
  settled: boolean;
  /** The zones it left since it was last settled. */
  left: readonly Zone[];
}

function deepest(zones: readonly Zone[], place: Place): Zone | undefined {
  let best: Zone | undefined;
  let bestDepth = Number.NEGATIVE_INFINITY;
  for (const zone of zones) {
    const depth = depthIn(zone, place);
    if (depth <= bestDepth) continue;
    best = zone;
    bestDepth = depth;
  }
  return best;
}

/**
 * A tag enters a new zone at its border. It goes back to a zone it came from only after it was
 * `hysteresis` feet inside the new one, or once it is as far inside the old one: so a tag on a
 * border, or where three zones meet, does not flap.
 * @returns The same object if nothing changed.
 */
export function follow(
  stay: Stay | undefined,
  place: Place,
  zones: readonly Zone[],
  hysteresis: number,
): Stay | undefined {
  if (stay === undefined) {
    const zone = deepest(zones, place);
    return zone && { zone, settled: depthIn(zone, place) >= hysteresis, left: [] };
  }
  const depth = depthIn(stay.zone, place);
  if (depth >= 0) {
    if (stay.settled || depth < hysteresis) return stay;
    return { zone: stay.zone, settled: true, left: [] };
  }
  const next = deepest(zones, place);
  if (next === undefined || next === stay.zone) return stay;
  const settled = depthIn(next, place) >= hysteresis;
  if (!stay.settled && !settled && stay.left.includes(next)) return stay;
  const left = settled ? [] : stay.settled ? [stay.zone] : [...stay.left, stay.zone];
  return { zone: next, settled, left };
}
