/** What the events of DIRECTIONALITY say. */
import { formatEventTime } from '../../platform/clock.js';
import type { EffectiveAdvanced } from './settings.js';
import type { Track } from './track.js';

/** A read of a beam. */
export interface BeamRead {
  idHex: string;
  timeMs: number;
  /** Number of the beam. */
  antenna: number;
  /** Degrees clockwise from the reader's mark, seen from above. */
  azimuth: number;
  /** Degrees from the vertical: 0 is straight down. */
  elevation: number;
  /** Hundredths of a dBm. */
  rssiCdbm: number;
}

export interface DirectionEvent {
  type: 'DIRECTIONALITY' | 'RAW_DIRECTIONALITY';
  timeMs: number;
  data: Record<string, unknown>;
}

export type EventName = 'NEW' | 'TRANSITION' | 'UPDATE' | 'TIMED_OUT';

/** A hundredth of a foot is far below what beams can tell. */
const feet = (value: number) => Math.round(value * 100) / 100 + 0;

export function rawEvent(read: BeamRead, rules: EffectiveAdvanced): DirectionEvent {
  const { idHex, azimuth, elevation, antenna, rssiCdbm } = read;
  const data = { idHex, azimuth, elevation, antenna, peakRssi: Math.round(rssiCdbm / 100) };
  return {
    type: 'RAW_DIRECTIONALITY',
    timeMs: read.timeMs,
    data: withUserDefined(data, rules),
  };
}

/** The state of a tag; keys without a value are left out. */
export function tagEvent(
  event: EventName,
  timeMs: number,
  track: Track,
  rules: EffectiveAdvanced,
): DirectionEvent {
  const data: Record<string, unknown> = { idHex: track.idHex, event };
  if (track.zone !== undefined) data.zone = track.zone.name;
  if (event === 'TRANSITION' && track.previousZone !== undefined) {
    data.previousZone = track.previousZone.name;
  }
  if (event !== 'NEW') data.direction = track.direction();
  if (track.location !== undefined) {
    data.x = feet(track.location.x);
    data.y = feet(track.location.y);
  }
  data.reads = track.reads;
  data.firstSeen = formatEventTime(track.firstSeenMs);
  data.lastSeen = formatEventTime(track.lastSeenMs);
  if (event === 'TIMED_OUT') addHistories(data, track, rules);
  return { type: 'DIRECTIONALITY', timeMs, data: withUserDefined(data, rules) };
}

function addHistories(data: Record<string, unknown>, track: Track, rules: EffectiveAdvanced): void {
  if (rules.report_zone_history) {
    data.zoneHistory = track.zoneHistory.map(({ zone, timeMs }) => ({
      zone,
      timestamp: formatEventTime(timeMs),
    }));
  }
  if (rules.report_location_history) {
    data.locationHistory = track.locationHistory.map(({ x, y, timeMs }) => ({
      x: feet(x),
      y: feet(y),
      timestamp: formatEventTime(timeMs),
    }));
  }
}

function withUserDefined(
  data: Record<string, unknown>,
  rules: EffectiveAdvanced,
): Record<string, unknown> {
  if (rules.user_defined !== undefined) data.userDefined = rules.user_defined;
  return data;
}
