/** A synthetic array reader: beams that hear a tag the better the nearer it is to their middle. */
import { SeededRandom } from '../../src/radio-control/scenario/random.js';
import {
  type BeamRead,
  Directionality,
  type DirectionEvent,
} from '../../src/reader-gateway/directionality/engine.js';
import { effectiveDirectionality } from '../../src/reader-gateway/directionality/settings.js';

/** Feet from the reader down to the tags, with the default heights. */
const DROP = 12;
const HALF_POWER_WIDTH = 30;
const SENSITIVITY_CDBM = -7200;
export const START_MS = Date.UTC(2024, 4, 6, 7, 8, 9);

const radians = (degrees: number) => (degrees * Math.PI) / 180;

const BEAMS = [0, 15, 30, 45, 60].flatMap((elevation) =>
  elevation === 0
    ? [{ azimuth: 0, elevation }]
    : Array.from({ length: 12 }, (_, index) => ({ azimuth: index * 30, elevation })),
);

export function engine(basicConfig: object = {}, advancedConfig: object = {}): Directionality {
  return new Directionality(effectiveDirectionality({ basicConfig, advancedConfig }));
}

/** Two-way gain and free space, over a tag straight under the reader. */
function rssiCdbm(beam: { azimuth: number; elevation: number }, x: number, y: number): number {
  const range = Math.hypot(x, y, DROP);
  const flat = Math.sin(radians(beam.elevation));
  const cosine =
    (flat * Math.sin(radians(beam.azimuth)) * x +
      flat * Math.cos(radians(beam.azimuth)) * y +
      Math.cos(radians(beam.elevation)) * DROP) /
    range;
  const off = (Math.acos(Math.min(1, cosine)) * 180) / Math.PI;
  const patternDb = 2 * 12 * (off / HALF_POWER_WIDTH) ** 2;
  return -4500 - 100 * patternDb - 4000 * Math.log10(range / DROP);
}

export interface Walk {
  idHex: string;
  seconds: number;
  /** Seconds since the start to feet. */
  at: (seconds: number) => { x: number; y: number };
  startMs?: number;
  /** A read is tried so often, on the next beam each time. */
  everyMs?: number;
  noiseDb?: number;
  seed?: number;
  /** How the reader is turned. */
  orientation?: number;
}

/** The reads of one tag, beam after beam. */
export function readsOf(walk: Walk): BeamRead[] {
  const { idHex, seconds, at, startMs = START_MS, everyMs = 10, noiseDb = 0 } = walk;
  const random = new SeededRandom(walk.seed ?? 1);
  const reads: BeamRead[] = [];
  for (let ms = 0, index = 0; ms <= seconds * 1000; ms += everyMs, index++) {
    const antenna = index % BEAMS.length;
    const beam = BEAMS[antenna];
    if (beam === undefined) continue;
    const { x, y } = at(ms / 1000);
    // The sum of uniform numbers is nearly normal; the variance of twelve is one.
    let noise = -6;
    for (let i = 0; i < 12; i++) noise += random.next();
    const rssi = rssiCdbm(beam, x, y) + noise * noiseDb * 100;
    if (rssi < SENSITIVITY_CDBM) continue;
    const azimuth = (beam.azimuth - (walk.orientation ?? 0) + 360) % 360;
    reads.push({
      idHex,
      timeMs: startMs + ms,
      antenna: antenna + 1,
      azimuth,
      elevation: beam.elevation,
      rssiCdbm: rssi,
    });
  }
  return reads;
}

/** Takes all reads in the order of time, then lets time pass. */
export function run(machine: Directionality, reads: BeamRead[], afterSeconds = 0) {
  const sorted = [...reads].sort((a, b) => a.timeMs - b.timeMs);
  const events = sorted.flatMap((read) => machine.take(read));
  const last = sorted.at(-1)?.timeMs ?? START_MS;
  return [...events, ...machine.advance(last + afterSeconds * 1000)];
}

/** `NEW ZONE1`, `TRANSITION ZONE1>ZONE2`, `TIMED_OUT ZONE4 IN`. */
export function story(events: DirectionEvent[]): string[] {
  return events.map(({ type, data }) => {
    if (type === 'RAW_DIRECTIONALITY') return 'RAW';
    if (data.event === 'TRANSITION') return `TRANSITION ${data.previousZone}>${data.zone}`;
    const end = data.event === 'TIMED_OUT' ? ` ${data.direction}` : '';
    return `${data.event} ${data.zone}${end}`;
  });
}
