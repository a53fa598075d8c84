/** What is known of one tag: its reads, its location, its zone and its way. */
import type { Direction } from '../api/directionality.js';
import { directionOf, type Waypoint } from './direction.js';
import { confidence, type Location, locate, type Mounting, type Sample } from './locate.js';
import type { EffectiveAdvanced } from './settings.js';
import { GapStatistics } from './timeout.js';
import { follow, type Stay, type Zone } from './zones.js';

/** A tag can stay for days: a history is what a client needs to draw a way, not an archive. */
export const HISTORY_LIMIT = 256;

/**
 * When a tag is not read any more its location goes on to where it was read last, else a fast tag
 * would end far behind. This part of the moving average stays: a single read is too uncertain.
 */
const TAIL = 1 / 3;

/** What holds for all tags. */
export interface Surroundings {
  mounting: Mounting;
  zones: readonly Zone[];
  rules: EffectiveAdvanced;
}

export type Change = 'NONE' | 'ENTERED' | 'MOVED';

export class Track {
  readonly firstSeenMs: number;
  lastSeenMs: number;
  reads = 0;
  /** Time of its last event, undefined before the first. */
  reportedMs: number | undefined;
  location: Location | undefined;
  previousZone: Zone | undefined;
  readonly zoneHistory: { zone: string; timeMs: number }[] = [];
  readonly locationHistory: Location[] = [];

  readonly #around: Surroundings;
  readonly #gaps = new GapStatistics();
  /** Reads since the last evaluation. */
  #fresh: Sample[] = [];
  /** The reads of the moving average, in the order of time. */
  #window: Sample[] = [];
  #waypoints: Waypoint[] = [];
  #stay: Stay | undefined;
  /** The end of the latest zone that belongs to one: a side zone is on no side of the line. */
  #end: 'IN' | 'OUT' | undefined;
  #crossed: 'IN' | 'OUT' | undefined;

  constructor(
    readonly idHex: string,
    timeMs: number,
    around: Surroundings,
  ) {
    this.firstSeenMs = timeMs;
    this.lastSeenMs = timeMs;
    this.#around = around;
  }

  /** @param sample Undefined if the read says nothing about the place. */
  seen(timeMs: number, sample: Sample | undefined): void {
    if (this.reads > 0) this.#gaps.add(timeMs - this.lastSeenMs);
    this.reads++;
    this.lastSeenMs = timeMs;
    if (sample !== undefined) this.#fresh.push(sample);
  }

  get zone(): Zone | undefined {
    return this.#stay?.zone;
  }

  /** True while the location can change without another read: old reads leave the average. */
  get unsettled(): boolean {
    const [first] = this.#window;
    const last = this.#window.at(-1);
    if (first === undefined || last === undefined) return this.#fresh.length > 0;
    return this.#fresh.length > 0 || first.timeMs < last.timeMs - this.#tailMs;
  }

  get #tailMs(): number {
    return this.#around.rules.ma_duration_seconds * 1000 * TAIL;
  }

  timeoutMs(): number {
    return this.#gaps.timeoutMs(this.#around.rules);
  }

  direction(): Direction {
    if (this.location === undefined) return 'ERROR';
    return directionOf(
      {
        points: this.#waypoints,
        lastReadMs: this.lastSeenMs,
        end: this.zone?.end,
        crossed: this.#crossed,
      },
      this.#around.rules,
    );
  }

  /** Evaluates the reads up to `nowMs`. */
  settle(nowMs: number): Change {
    if (!this.#average(nowMs)) return 'NONE';
    const location = locate(this.#window);
    if (location === undefined) return 'NONE';
    this.location = location;
    this.#remember(location);

    const { zones, rules } = this.#around;
    const before = this.#stay;
    this.#stay = follow(before, location, zones, rules.hysteresis_feet);
    const zone = this.#stay?.zone;
    if (zone === undefined || zone === before?.zone) return 'NONE';
    this.previousZone = before?.zone;
    if (zone.end !== undefined) {
      if (this.#end !== undefined && this.#end !== zone.end) this.#crossed = zone.end;
      this.#end = zone.end;
    }
    if (rules.report_zone_history) {
      keep(this.zoneHistory, { zone: zone.name, timeMs: location.timeMs });
    }
    return before === undefined ? 'ENTERED' : 'MOVED';
  }

  /** Moves the window of the moving average. @returns True if there is a new average. */
  #average(nowMs: number): boolean {
    const { rules, mounting } = this.#around;
    const fresh = this.#fresh;
    this.#fresh = [];
    const raw = locate(fresh);
    // Only the reads of one interval are asked to agree: in a longer time the tag itself moves.
    const sure =
      raw !== undefined && confidence(raw, mounting) >= rules.raw_location_conf_threshold;
    // An interval longer than the window must not lose its own reads.
    const seconds = Math.max(
      rules.ma_duration_seconds,
      rules.background_processing_interval_seconds,
    );
    const lastMs = (sure ? fresh : this.#window).at(-1)?.timeMs ?? nowMs;
    const since = Math.min(nowMs - seconds * 1000, lastMs - this.#tailMs);
    const kept = this.#window.filter(({ timeMs }) => timeMs >= since);
    const changed = sure || kept.length < this.#window.length;
    if (sure) for (const sample of fresh) kept.push(sample);
    this.#window = kept;
    return changed && kept.length > 0;
  }

  #remember(location: Location): void {
    const { rules } = this.#around;
    const since = this.lastSeenMs - rules.direction_lookback_seconds * 1000;
    this.#waypoints = this.#waypoints.filter(({ timeMs }) => timeMs >= since);
    this.#waypoints.push({ timeMs: location.timeMs, y: location.y });
    if (rules.report_location_history) keep(this.locationHistory, location);
  }
}

function keep<T>(history: T[], entry: T): void {
  history.push(entry);
  if (history.length > HISTORY_LIMIT) history.shift();
}
