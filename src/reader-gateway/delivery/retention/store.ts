/**
 * What waits for an endpoint: live events, and the backlog of an outage, which leaves beside them
 * at its own pace. Bounded in number, age and memory; what goes is reported.
 */
import type { SplitEvent } from '../event-bytes.js';
import type { RetentionRule } from '../rules.js';
import { EventRing, eventsOf, type Part, type Run, type Span, type WaitingEvent } from './ring.js';
import type { Spill } from './spill.js';

/** What an endpoint that retains nothing may be behind while it is connected. */
const CAPACITY_WITHOUT_RETENTION = 150_000;
/** Packed events in memory, whatever their number. */
const MAX_MEMORY_BYTES = 64_000_000;

export class EventStore {
  readonly #rule: RetentionRule;
  readonly #separator: ',' | '\n';
  readonly #onLost: (span: Span) => void;
  readonly #capacity: number;
  #live: EventRing;
  #backlog: EventRing;
  #spill: Spill | undefined;

  /** @param onLost Told of all events that are forgotten. */
  constructor(rule: RetentionRule, separator: ',' | '\n', onLost: (span: Span) => void) {
    this.#rule = rule;
    this.#separator = separator;
    this.#onLost = onLost;
    this.#capacity = rule.maxEvents || CAPACITY_WITHOUT_RETENTION;
    this.#live = this.#newRing();
    this.#backlog = this.#newRing();
  }

  /** From now on blocks go to disk; what is there already comes before everything else. */
  attach(spill: Spill): void {
    this.#spill = spill;
    const before = this.#newRing();
    for (const block of spill.blocks) before.appendBlock(block);
    before.append(this.#backlog);
    this.#backlog = before;
    const live = this.#newRing();
    live.append(this.#live);
    this.#live = live;
    this.#trim();
  }

  /** Events. */
  get size(): number {
    return this.#live.size + this.#backlog.size;
  }

  get live(): Pick<EventRing, 'size' | 'bytes' | 'oldestAtMs'> {
    return this.#live;
  }

  get backlogSize(): number {
    return this.#backlog.size;
  }

  /** Of the packed and unpacked events. */
  get memoryBytes(): number {
    return this.#live.memoryBytes + this.#backlog.memoryBytes;
  }

  push(num: number, event: SplitEvent, atMs: number): void {
    if (this.#live.push(num, event, atMs)) this.#trimBytes();
    if (this.size > this.#capacity) this.#trim();
  }

  /** Events that were waiting elsewhere and come before all others. */
  putFirst(events: Iterable<WaitingEvent>): void {
    const ring = this.#newRing();
    for (const { num, bytes, atMs } of events) ring.pushWhole(num, bytes, atMs);
    ring.append(this.#backlog);
    this.#backlog = ring;
    this.#trim();
  }

  takeLive(maxEvents: number, maxBytes: number): Run | undefined {
    return this.#live.take(maxEvents, maxBytes);
  }

  takeBacklog(maxEvents: number, maxBytes: number): Run | undefined {
    return this.#backlog.take(maxEvents, maxBytes);
  }

  /** Of events that were taken: they have arrived, or are given up. */
  release(parts: readonly Part[]): void {
    this.#live.release(parts);
  }

  /** What waits now is the backlog of an outage. */
  outageOver(): void {
    this.#backlog.append(this.#live);
  }

  /** All that waits is live again: nothing holds it back. */
  mergeLanes(): void {
    if (this.#backlog.size === 0) return;
    this.#backlog.append(this.#live);
    [this.#live, this.#backlog] = [this.#backlog, this.#live];
  }

  /** The age limit, which holds while the endpoint is away. */
  forgetOld(nowMs: number): void {
    if (this.#rule.maxAgeMs === Number.POSITIVE_INFINITY) return;
    const limit = nowMs - this.#rule.maxAgeMs;
    this.#lost(this.#backlog.dropOlder(limit));
    this.#lost(this.#live.dropOlder(limit));
  }

  clear(): void {
    this.#lost(this.#backlog.drop(this.#backlog.size));
    this.#lost(this.#live.drop(this.#live.size));
  }

  /** Takes all events out, oldest first. Their bytes stay as they are: no block is used again. */
  *drain(): Generator<WaitingEvent> {
    this.mergeLanes();
    for (let run = this.#live.take(1000, 1e6); run; run = this.#live.take(1000, 1e6)) {
      yield* eventsOf(run.parts);
    }
  }

  /** With a spill: what is still in memory alone goes to disk too, beside the event loop. */
  spillAll(): void {
    if (this.#spill === undefined) return;
    this.#backlog.keepAll();
    this.#live.keepAll();
    this.#trimBytes();
  }

  /** Of the events of each lane. */
  get spans(): Span[] {
    return [this.#backlog.span, this.#live.span].filter((span) => span !== undefined);
  }

  /** Writes what is left to disk and ends the spill; nothing is in here afterwards. */
  moveToDisk(first: readonly Part[]): void {
    const spill = this.#spill;
    if (spill === undefined) return;
    this.mergeLanes();
    spill.keepParts(first);
    for (const block of this.#live.unpackedBlocks()) spill.keepNow(block);
    spill.close();
    this.#spill = undefined;
    this.#live = this.#newRing();
  }

  #newRing(): EventRing {
    return new EventRing(this.#separator, this.#spill, this.#onLost);
  }

  #trim(): void {
    const excess = this.size - this.#capacity;
    if (excess <= 0) return;
    const old = Math.min(excess, this.#backlog.size);
    if (old > 0) this.#lost(this.#backlog.drop(old));
    if (excess > old) this.#lost(this.#live.drop(excess - old));
  }

  #trimBytes(): void {
    while (this.memoryBytes > MAX_MEMORY_BYTES && this.size > 0) this.#dropBlock();
    while (this.#spill?.isFull && this.size > 0) this.#dropBlock();
  }

  #dropBlock(): void {
    this.#lost((this.#backlog.size > 0 ? this.#backlog : this.#live).dropBlock());
  }

  #lost(span: Span | undefined): void {
    if (span !== undefined) this.#onLost(span);
  }
}
