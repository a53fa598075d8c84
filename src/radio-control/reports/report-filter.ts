/**
 * Decides which reads become reports (proto ReportFilter; interface table "Mode of
 * operation", reportFilter). Works straight on the bytes of the native records; air
 * time is the only clock, so a fast simulation reports what a slow one would.
 */
import { RECORD } from '../record.js';
import { TagMemory } from './tag-memory.js';
import { NONE, placeOf } from './tag-table.js';
import { WaitingReports } from './waiting-reports.js';

export type FilterKind = 'every_read' | 'once' | 'periodic' | 'interval';

export interface ReportFilterSettings {
  kind: FilterKind;
  scope: 'radio_wide' | 'per_antenna';
  /** For periodic and interval. */
  periodMs: number;
}

/** Called for each report, while `record` (and its continuation after it) is still valid. */
export type ReportSink = (
  record: Buffer,
  offset: number,
  seenCount: number,
  peakRssiCdbm: number,
) => void;

/** What is remembered of a tag at one place. */
export interface TagSighting {
  /** 0 = the reader as a whole. */
  port: number;
  beam: number;
  /** Reads since the last report. */
  reads: number;
  /** Air time, milliseconds since the epoch; undefined = none yet. */
  reportedMs?: number;
  /** From when on the next read is reported; undefined = at once, or never again. */
  nextReportMs?: number;
}

/** Tags remembered at most; beyond it those longest unseen are forgotten, and reported again. */
export const MAX_TAGS = 1_000_000;

export class ReportFilter {
  #settings: ReportFilterSettings;
  readonly #sink: ReportSink;
  readonly #memory: TagMemory;
  /** INTERVAL: of the running interval. PERIODIC: reads since the last report of their tag. */
  readonly #waiting = new WaitingReports();
  readonly #mostWaiting: number;
  /** From 1; all that waited under a number before has been reported. */
  #waitingNumber = 1;
  #intervalEndMs = -1;
  #taken = 0;
  #reported = 0;
  #filtered = 0;

  constructor(settings: ReportFilterSettings, sink: ReportSink, maxTags = MAX_TAGS) {
    this.#settings = settings;
    this.#sink = sink;
    this.#memory = new TagMemory(maxTags);
    this.#mostWaiting = maxTags;
  }

  /** Reads that came in, and what became of them. One read of each report that waits is neither yet. */
  get counters() {
    const { uniqueTags, forgottenTags } = this.#memory;
    return {
      taken: this.#taken,
      reported: this.#reported,
      filtered: this.#filtered,
      uniqueTags,
      forgottenTags,
    };
  }

  get memoryBytes(): number {
    return this.#memory.memoryBytes + this.#waiting.memoryBytes;
  }

  /** Air time at which the running interval ends, milliseconds since the epoch; undefined if none waits. */
  get flushDueMs(): number | undefined {
    const waits = this.#settings.kind === 'interval' && this.#waiting.count > 0;
    return waits ? this.#intervalEndMs : undefined;
  }

  /** Takes the read at `offset`, with the continuation records after it. */
  take(record: Buffer, offset: number): void {
    this.#taken++;
    const { kind, scope } = this.#settings;
    const rssi = record.readInt16LE(offset + RECORD.rssiCdbm);
    const timeMs = recordTimeMs(record, offset);
    if (kind === 'interval') this.flushUntil(timeMs);
    const tag = this.#memory.tagOf(record, offset);
    const { table } = this.#memory;
    const wide = scope === 'radio_wide' || kind === 'every_read';
    const at = table.sighting(tag, wide ? 0 : placeOf(record, offset));
    switch (kind) {
      case 'every_read':
        table.reportedMs[at] = timeMs;
        this.#report(record, offset, 1, rssi);
        return;
      case 'interval':
        this.#wait(at, record, offset, rssi, timeMs);
        return;
      case 'periodic':
        this.#sinceReport(at, record, offset, rssi, timeMs);
        return;
      case 'once':
        if ((table.reportedMs[at] as number) < 0) {
          table.reportedMs[at] = timeMs;
          this.#report(record, offset, 1, rssi);
        } else {
          table.seenCount[at] = (table.seenCount[at] as number) + 1;
          this.#filtered++;
        }
    }
  }

  /** Reports the intervals that have ended by this air time, milliseconds since the epoch. */
  flushUntil(timeMs: number): void {
    if (this.#intervalEndMs < 0 || timeMs < this.#intervalEndMs) return;
    this.#flush();
    const behind = Math.floor((timeMs - this.#intervalEndMs) / this.#settings.periodMs) + 1;
    this.#intervalEndMs += behind * this.#settings.periodMs;
  }

  /** A new period of reading: every tag is reported afresh. */
  newPeriod(): void {
    this.#flush();
    this.#intervalEndMs = -1;
    this.#memory.clear();
  }

  /**
   * Another plan's filter: the same one remembers on, another one begins afresh. What waits was read
   * under the plan before, and is reported as that wants it.
   */
  change(settings: ReportFilterSettings): void {
    this.#flush();
    const { kind, scope, periodMs } = this.#settings;
    if (kind === settings.kind && scope === settings.scope && periodMs === settings.periodMs)
      return;
    this.newPeriod();
    this.#settings = settings;
  }

  /** True if reports wait. */
  get waits(): boolean {
    return this.#waiting.count > 0;
  }

  /** Reading ended, for now or for good: what still waits is reported now. */
  end(): void {
    this.#flush();
  }

  /** What is remembered of a tag; nothing if it was not read, or was forgotten. */
  explain(epc: Uint8Array): TagSighting[] {
    const found = this.#memory.lookUp(epc);
    if (found === undefined) return [];
    const { table, tag } = found;
    const { kind, periodMs } = this.#settings;
    const sightings: TagSighting[] = [];
    for (let i = table.firstSighting(tag); i !== NONE; i = table.next[i] as number) {
      const place = table.place[i] as number;
      const reportedMs = table.reportedMs[i] as number;
      const waits = table.waitsIn[i] === this.#waitingNumber;
      sightings.push({
        port: place & 0xff,
        beam: place >>> 8,
        reads: waits
          ? this.#waiting.seen(table.waitsAt[i] as number)
          : (table.seenCount[i] as number),
        ...(reportedMs < 0 ? {} : { reportedMs }),
        ...(waits && kind === 'interval' ? { nextReportMs: this.#intervalEndMs } : {}),
        ...(kind === 'periodic' && reportedMs >= 0 ? { nextReportMs: reportedMs + periodMs } : {}),
      });
    }
    return sightings.reverse();
  }

  /** PERIODIC: the report of now, or one more read that waits for it. */
  #sinceReport(at: number, record: Buffer, offset: number, rssi: number, timeMs: number): void {
    const { table } = this.#memory;
    const reportedMs = table.reportedMs[at] as number;
    const waits = table.waitsIn[at] === this.#waitingNumber;
    const place = table.waitsAt[at] as number;
    const seen = waits ? this.#waiting.seen(place) : 0;
    if (seen > 0) this.#filtered++;
    if (reportedMs < 0 || timeMs - reportedMs >= this.#settings.periodMs) {
      const peak = seen > 0 ? Math.max(this.#waiting.peak(place), rssi) : rssi;
      if (waits) this.#waiting.clear(place);
      table.reportedMs[at] = timeMs;
      this.#report(record, offset, seen + 1, peak);
    } else {
      this.#waiting.update(waits ? place : this.#addWaiting(at), record, offset, rssi);
    }
  }

  /** INTERVAL: one more read that waits for its end. */
  #wait(at: number, record: Buffer, offset: number, rssi: number, timeMs: number): void {
    if (this.#intervalEndMs < 0) this.#intervalEndMs = timeMs + this.#settings.periodMs;
    const { table } = this.#memory;
    const waits = table.waitsIn[at] === this.#waitingNumber;
    if (waits) this.#filtered++;
    // Every report is of the interval's end.
    table.reportedMs[at] = this.#intervalEndMs;
    const place = waits ? (table.waitsAt[at] as number) : this.#addWaiting(at);
    this.#waiting.update(place, record, offset, rssi);
  }

  /** A place for the report of a sighting. With no room for one more all others come early. */
  #addWaiting(at: number): number {
    if (this.#waiting.count >= this.#mostWaiting) this.#flush();
    const place = this.#waiting.add();
    const { table } = this.#memory;
    table.waitsIn[at] = this.#waitingNumber;
    table.waitsAt[at] = place;
    return place;
  }

  #flush(): void {
    if (this.#waiting.count === 0) return;
    this.#waiting.flush((record, offset, seen, peak) => this.#report(record, offset, seen, peak));
    this.#waitingNumber++;
  }

  #report(record: Buffer, offset: number, seenCount: number, peakRssiCdbm: number): void {
    this.#reported++;
    this.#sink(record, offset, seenCount, peakRssiCdbm);
  }
}

/** Air time of a record, milliseconds since the epoch. */
export function recordTimeMs(record: Buffer, offset: number): number {
  const low = record.readUInt32LE(offset + RECORD.timeNs);
  const high = record.readUInt32LE(offset + RECORD.timeNs + 4);
  return (high * 4294967296 + low) / 1e6;
}
