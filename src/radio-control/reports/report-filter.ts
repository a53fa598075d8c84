/**
 * Decides which reads become reports (proto ReportFilter; interface table "Mode of
 * operation", reportFilter). Works straight on the bytes of the native records; air
 * time is the only clock, so a fast simulation reports what a slow one would.
 */
import { RECORD, RECORD_BYTES } from '../record.js';

export type FilterKind = 'every_read' | 'once' | 'periodic' | 'interval';

export interface ReportFilterSettings {
  kind: FilterKind;
  scope: 'radio_wide' | 'per_antenna';
  /** For periodic and interval. */
  periodMs: number;
}

/** Called for each report, while `record` is still valid. */
export type ReportSink = (
  record: Buffer,
  offset: number,
  seenCount: number,
  peakRssiCdbm: number,
) => void;

/** What is remembered of a tag on one antenna, or of the tag as a whole. */
interface Sighting {
  /** Air time of the last report, milliseconds since the epoch; -1 = not reported yet. */
  reportedMs: number;
  seenCount: number;
  peakRssiCdbm: number;
  /** Interval only: the last record of the running period. */
  last: Buffer | undefined;
}

interface Tag {
  /** By antenna port; index 0 serves the whole reader. */
  sightings: (Sighting | undefined)[];
}

/** Tags remembered at most; beyond it the one seen first is forgotten and would be reported anew. */
export const MAX_TAGS = 1_000_000;

const NO_RSSI = -32768;

export class ReportFilter {
  /** Reads that came in, and what became of them. A read that waits in an interval is neither yet. */
  readonly counters = { taken: 0, reported: 0, filtered: 0, uniqueTags: 0, forgottenTags: 0 };

  #settings: ReportFilterSettings;
  readonly #sink: ReportSink;
  readonly #maxTags: number;
  readonly #tags = new Map<string, Tag>();
  /** Interval only: sightings of the running period in order of their first read. */
  #pending: Sighting[] = [];
  #periodEndMs = -1;

  constructor(settings: ReportFilterSettings, sink: ReportSink, maxTags = MAX_TAGS) {
    this.#settings = settings;
    this.#sink = sink;
    this.#maxTags = maxTags;
  }

  /** Air time at which the running interval ends, milliseconds since the epoch; undefined if none waits. */
  get flushDueMs(): number | undefined {
    return this.#pending.length > 0 ? this.#periodEndMs : undefined;
  }

  take(record: Buffer, offset: number): void {
    this.counters.taken++;
    const rssi = record.readInt16LE(offset + RECORD.rssiCdbm);
    const tag = this.#tagOf(record, offset);
    if (this.#settings.kind === 'every_read') {
      this.#report(record, offset, 1, rssi);
      return;
    }
    const timeMs = recordTimeMs(record, offset);
    if (this.#settings.kind === 'interval') this.flushUntil(timeMs);

    const sighting = this.#sightingOf(tag, record[offset + RECORD.antenna] as number);
    sighting.seenCount++;
    if (rssi > sighting.peakRssiCdbm) sighting.peakRssiCdbm = rssi;
    if (this.#settings.kind === 'interval') {
      this.#hold(sighting, record, offset, timeMs);
    } else if (this.#isDue(sighting, timeMs)) {
      sighting.reportedMs = timeMs;
      this.#reportSighting(sighting, record, offset);
    } else {
      this.counters.filtered++;
    }
  }

  /** Reports the intervals that have ended by this air time, milliseconds since the epoch. */
  flushUntil(timeMs: number): void {
    if (this.#periodEndMs < 0 || timeMs < this.#periodEndMs) return;
    this.#flush();
    const behind = Math.floor((timeMs - this.#periodEndMs) / this.#settings.periodMs) + 1;
    this.#periodEndMs += behind * this.#settings.periodMs;
  }

  newPeriod(): void {
    this.#flush();
    this.#tags.clear();
  }

  change(settings: ReportFilterSettings): void {
    const { kind, scope, periodMs } = this.#settings;
    if (kind === settings.kind && scope === settings.scope && periodMs === settings.periodMs)
      return;
    this.newPeriod();
    this.#settings = settings;
  }

  explain(
    _epc: Uint8Array,
  ): { port: number; beam: number; reads: number; reportedMs?: number; nextReportMs?: number }[] {
    return [];
  }

  /** The inventory ended: what still waits is reported now. */
  end(): void {
    this.#flush();
  }

  #isDue(sighting: Sighting, timeMs: number): boolean {
    if (sighting.reportedMs < 0) return true;
    if (this.#settings.kind === 'once') return false;
    return timeMs - sighting.reportedMs >= this.#settings.periodMs;
  }

  #hold(sighting: Sighting, record: Buffer, offset: number, timeMs: number): void {
    if (this.#periodEndMs < 0) this.#periodEndMs = timeMs + this.#settings.periodMs;
    if (sighting.last === undefined) {
      sighting.last = Buffer.from(record.subarray(offset, offset + RECORD_BYTES));
      this.#pending.push(sighting);
    } else {
      record.copy(sighting.last, 0, offset, offset + RECORD_BYTES);
      this.counters.filtered++;
    }
  }

  #flush(): void {
    const pending = this.#pending;
    this.#pending = [];
    for (const sighting of pending) {
      const last = sighting.last as Buffer;
      sighting.last = undefined;
      this.#reportSighting(sighting, last, 0);
    }
  }

  #reportSighting(sighting: Sighting, record: Buffer, offset: number): void {
    this.#report(record, offset, sighting.seenCount, sighting.peakRssiCdbm);
    sighting.seenCount = 0;
    sighting.peakRssiCdbm = NO_RSSI;
  }

  #report(record: Buffer, offset: number, seenCount: number, peakRssiCdbm: number): void {
    this.counters.reported++;
    this.#sink(record, offset, seenCount, peakRssiCdbm);
  }

  #tagOf(record: Buffer, offset: number): Tag {
    const start = offset + RECORD.epc;
    // A string of the raw bytes is the cheapest key a Map can have.
    const key = record.toString(
      'latin1',
      start,
      start + (record[offset + RECORD.epcBytes] as number),
    );
    let tag = this.#tags.get(key);
    if (tag === undefined) {
      if (this.#tags.size >= this.#maxTags) {
        this.#tags.delete(this.#tags.keys().next().value as string);
        this.counters.forgottenTags++;
      }
      tag = { sightings: [] };
      this.#tags.set(key, tag);
      this.counters.uniqueTags++;
    }
    return tag;
  }

  #sightingOf(tag: Tag, antenna: number): Sighting {
    const index = this.#settings.scope === 'per_antenna' ? antenna : 0;
    let sighting = tag.sightings[index];
    if (sighting === undefined) {
      sighting = { reportedMs: -1, seenCount: 0, peakRssiCdbm: NO_RSSI, last: undefined };
      tag.sightings[index] = sighting;
    }
    return sighting;
  }
}

/** Air time of a record, milliseconds since the epoch. */
export function recordTimeMs(record: Buffer, offset: number): number {
  const low = record.readUInt32LE(offset + RECORD.timeNs);
  const high = record.readUInt32LE(offset + RECORD.timeNs + 4);
  return (high * 4294967296 + low) / 1e6;
}
