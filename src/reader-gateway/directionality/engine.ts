/**
 * DIRECTIONALITY: reads per beam to events about tags. A state machine without a clock: time is
 * what the reads and `advance` say, so the same calls always give the same events.
 */
import {
  type BeamRead,
  type DirectionEvent,
  type EventName,
  rawEvent,
  tagEvent,
} from './events.js';
import { beamHit, powerOf, type Sample } from './locate.js';
import type { EffectiveAdvanced, EffectiveDirectionality } from './settings.js';
import { type Surroundings, Track } from './track.js';
import { zonesOf } from './zones.js';

export type { BeamRead, DirectionEvent } from './events.js';

export class Directionality {
  readonly #rules: EffectiveAdvanced;
  readonly #around: Surroundings;
  readonly #intervalMs: number;
  /** In the order of their last reads: the first is the longest unseen. */
  readonly #tracks = new Map<string, Track>();
  #nowMs = Number.NEGATIVE_INFINITY;
  /** Evaluations are at multiples of the interval, but only at those at which there is a need. */
  #nextMs = Number.POSITIVE_INFINITY;
  #forgotten = 0;

  constructor({ basicConfig, advancedConfig }: EffectiveDirectionality) {
    this.#rules = advancedConfig;
    this.#around = {
      mounting: {
        drop: basicConfig.readerHeight - basicConfig.tagHeight,
        orientation: basicConfig.orientation,
      },
      zones: zonesOf(basicConfig),
      rules: advancedConfig,
    };
    // Whole milliseconds, so that multiples are exact and always come forward.
    this.#intervalMs = Math.max(
      1,
      Math.round(advancedConfig.background_processing_interval_seconds * 1000),
    );
  }

  /** Tags it knows now. */
  get tagCount(): number {
    return this.#tracks.size;
  }

  /** Tags that went without an event because max_tags_limit others were seen later. */
  get forgottenTags(): number {
    return this.#forgotten;
  }

  /**
   * A read, and everything that was due before it.
   * A read that is older than the time it is at counts as a read of now.
   */
  take(read: BeamRead): DirectionEvent[] {
    const events = this.advance(read.timeMs);
    if (this.#rules.report_raw) events.push(rawEvent(read, this.#rules));
    const track = this.#trackOf(read.idHex);
    track.seen(this.#nowMs, this.#sampleOf(read));
    this.#nextMs = Math.min(this.#nextMs, this.#multipleAfter(this.#nowMs));
    return events;
  }

  /** Everything that is due until `nowMs`: zones, updates and timeouts. */
  advance(nowMs: number): DirectionEvent[] {
    const events: DirectionEvent[] = [];
    while (this.#nextMs <= nowMs) {
      const dueMs = this.#nextMs;
      this.#nextMs = Number.POSITIVE_INFINITY;
      this.#evaluate(dueMs, events);
    }
    this.#nowMs = Math.max(this.#nowMs, nowMs);
    return events;
  }

  #trackOf(idHex: string): Track {
    const known = this.#tracks.get(idHex);
    const track = known ?? new Track(idHex, this.#nowMs, this.#around);
    if (known !== undefined) {
      this.#tracks.delete(idHex);
    } else if (this.#tracks.size >= this.#rules.max_tags_limit) {
      for (const longestUnseen of this.#tracks.keys()) {
        this.#tracks.delete(longestUnseen);
        this.#forgotten++;
        break;
      }
    }
    this.#tracks.set(idHex, track);
    return track;
  }

  #sampleOf({ azimuth, elevation, rssiCdbm }: BeamRead): Sample | undefined {
    const place = beamHit(azimuth, elevation, this.#around.mounting);
    if (place === undefined || !Number.isFinite(rssiCdbm)) return undefined;
    return { ...place, timeMs: this.#nowMs, weight: powerOf(rssiCdbm) };
  }

  #evaluate(timeMs: number, events: DirectionEvent[]): void {
    const rules = this.#rules;
    for (const track of this.#tracks.values()) {
      const report = (name: EventName) => {
        events.push(tagEvent(name, timeMs, track, rules));
        track.reportedMs = timeMs;
      };
      const change = track.settle(timeMs);
      if (change === 'ENTERED') {
        // Updates count from here, whether the event is wanted or not.
        track.reportedMs = timeMs;
        if (rules.report_new) report('NEW');
      } else if (change === 'MOVED' && rules.report_transition) {
        report('TRANSITION');
      }
      if (timeMs >= track.lastSeenMs + track.timeoutMs()) {
        this.#tracks.delete(track.idHex);
        const wanted = rules.report_timed_out && rules.report_direction.includes(track.direction());
        if (wanted) report('TIMED_OUT');
        continue;
      }
      if (timeMs >= this.#updateDueMs(track)) report('UPDATE');
      this.#nextMs = Math.min(this.#nextMs, this.#needAfter(timeMs, track));
    }
  }

  #updateDueMs({ reportedMs }: Track): number {
    const seconds = this.#rules.report_update_duration_seconds;
    if (seconds <= 0 || reportedMs === undefined) return Number.POSITIVE_INFINITY;
    return reportedMs + seconds * 1000;
  }

  /** When this tag has to be evaluated again if it is not read any more. */
  #needAfter(timeMs: number, track: Track): number {
    if (track.unsettled) return this.#multipleAfter(timeMs);
    const dueMs = Math.min(track.lastSeenMs + track.timeoutMs(), this.#updateDueMs(track));
    const multiple = Math.ceil(dueMs / this.#intervalMs) * this.#intervalMs;
    return Math.max(multiple, this.#multipleAfter(timeMs));
  }

  #multipleAfter(timeMs: number): number {
    return (Math.floor(timeMs / this.#intervalMs) + 1) * this.#intervalMs;
  }
}
