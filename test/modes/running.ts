/** A mode that goes on until the test stops it: for restarts, plan changes and the real clock. */
import { ReadBatch, type TagRead } from '../../src/contract/messages.js';
import {
  type AirPacket,
  type AirTag,
  loadAddon,
  type NativeRadio,
  type NativeStatus,
} from '../../src/radio-control/addon/addon.js';
import { compilePlan } from '../../src/radio-control/plan/compile-plan.js';
import { RECORD, RECORD_BYTES } from '../../src/radio-control/record.js';
import { ReadsEncoder } from '../../src/radio-control/reports/encode-reads.js';
import { ReportRules } from '../../src/radio-control/reports/report-rules.js';
import { compileMode } from '../../src/reader-gateway/mode/compile.js';
import type { EventContent } from '../../src/reader-gateway/mode/meta-data.js';
import { factsOf, options, type RunOptions } from './on-air.js';

export class Running {
  readonly #radio: NativeRadio;
  readonly #run: RunOptions;
  readonly #encoder = new ReadsEncoder();
  readonly #buffer = Buffer.alloc(1024 * RECORD_BYTES);
  #rules: ReportRules | undefined;
  /** Of the last plan. */
  content!: EventContent;

  /** @param radio Another than a simulated one, whose packets can be looked at. */
  constructor(run: RunOptions, radio?: NativeRadio) {
    this.#run = run;
    this.#radio = radio ?? new (loadAddon().Radio)(options(run));
    if (radio === undefined) this.#radio.logPackets(1_000_000);
  }

  #plan(mode: object) {
    const result = compileMode(mode, factsOf(this.#run, this.#radio));
    if (!result.ok) throw new Error(JSON.stringify(result.violations));
    this.content = result.value.content;
    return compilePlan(result.value.plan, this.#radio.capabilities());
  }

  start(mode: object): void {
    const plan = this.#plan(mode);
    this.#rules = new ReportRules(plan, (record, offset, seen, rssi) =>
      this.#encoder.add(record, offset, seen, rssi),
    );
    this.#radio.start(plan.native, () => {});
  }

  change(mode: object): number {
    const plan = this.#plan(mode);
    const number = this.#radio.change(plan.native);
    this.#rules?.announce(number, plan);
    return number;
  }

  /** The reports since the last call. */
  reports(): TagRead[] {
    for (let n = this.#radio.drain(this.#buffer); n > 0; n = this.#radio.drain(this.#buffer)) {
      for (let at = 0; at < n * RECORD_BYTES; ) {
        this.#rules?.take(this.#buffer, at);
        at += RECORD_BYTES * (1 + (this.#buffer[at + RECORD.more] as number));
      }
    }
    return ReadBatch.decode(this.#encoder.finish().bytes).reads as TagRead[];
  }

  /** Reads on until the condition holds; gives the reports up to then. */
  async until(
    condition: (status: NativeStatus, reports: TagRead[]) => boolean,
  ): Promise<TagRead[]> {
    const all: TagRead[] = [];
    const deadline = Date.now() + 20_000;
    for (;;) {
      // In this order: the reports of all that the status counts are there.
      const status = this.status();
      all.push(...this.reports());
      if (condition(status, all)) return all;
      if (Date.now() > deadline) throw new Error(`never came: ${JSON.stringify(status)}`);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  setInput(port: number, high: boolean): void {
    this.#radio.setInput(port, high);
  }

  async stop(): Promise<TagRead[]> {
    await this.#radio.stop();
    return this.reports();
  }

  status(): NativeStatus {
    return this.#radio.status();
  }

  packets(): AirPacket[] {
    return this.#radio.packets().packets;
  }

  tags(): AirTag[] {
    return this.#radio.tags();
  }
}
