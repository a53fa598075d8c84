/**
 * From reads to reports: the id filter, then the report filter, each as the plan of the read has
 * it. A change of the plan takes effect with the first read that was taken under it.
 */
import type { CompiledPlan } from '../plan/compile-plan.js';
import { RECORD } from '../record.js';
import { type IdFilterSettings, passesId, recordId } from './id-filter.js';
import { ReportFilter, type ReportSink } from './report-filter.js';

export class ReportRules {
  readonly #filter: ReportFilter;
  readonly #announced = new Map<number, CompiledPlan>();
  #idFilter: IdFilterSettings | undefined;
  #idFiltered = 0;
  #plan = 0;
  #period = 1;

  constructor(plan: CompiledPlan, sink: ReportSink) {
    this.#filter = new ReportFilter(plan.filter, sink);
    this.#idFilter = plan.idFilter;
  }

  /** Number of the plan that the last read was taken under. */
  get plan(): number {
    return this.#plan;
  }

  get counters(): { reported: number; filtered: number; idFiltered: number; uniqueTags: number } {
    const { reported, filtered, uniqueTags } = this.#filter.counters;
    return { reported, filtered, idFiltered: this.#idFiltered, uniqueTags };
  }

  /** A plan whose reads will come. */
  announce(number: number, plan: CompiledPlan): void {
    this.#announced.set(number, plan);
  }

  take(record: Buffer, offset: number): void {
    const plan = record[offset + RECORD.plan] as number;
    if (plan !== this.#plan) this.#goOn(plan);
    const period = record[offset + RECORD.period] as number;
    if (period !== this.#period) {
      this.#period = period;
      this.#filter.newPeriod();
    }
    if (this.#idFilter !== undefined && !passesId(this.#idFilter, recordId(record, offset))) {
      this.#idFiltered++;
      return;
    }
    this.#filter.take(record, offset);
  }

  get flushDueMs(): number | undefined {
    return this.#filter.flushDueMs;
  }

  flushUntil(timeMs: number): void {
    this.#filter.flushUntil(timeMs);
  }

  /** True if reports wait. */
  get waits(): boolean {
    return this.#filter.waits;
  }

  /** Reading ended, for now or for good: what still waits is reported now. */
  end(): void {
    this.#filter.end();
  }

  /** What is remembered of a tag. */
  explain(epc: Uint8Array): {
    sightings: ReturnType<ReportFilter['explain']>;
    idFiltered: boolean;
  } {
    const id = Buffer.from(epc).toString('hex');
    const idFiltered = this.#idFilter !== undefined && !passesId(this.#idFilter, id);
    return { sightings: this.#filter.explain(epc), idFiltered };
  }

  #goOn(number: number): void {
    this.#plan = number;
    const plan = this.#announced.get(number);
    // Plans before it were never taken up, or are over.
    for (const known of this.#announced.keys()) {
      this.#announced.delete(known);
      if (known === number) break;
    }
    if (plan === undefined) return;
    this.#idFilter = plan.idFilter;
    this.#filter.change(plan.filter);
  }
}
