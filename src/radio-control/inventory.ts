/**
 * The inventory of one radio: starts and stops the native loop, moves its records through
 * the report filter to the hub, and knows the counters.
 */
import { randomUUID } from 'node:crypto';
import {
  type InventoryCountersInput,
  type InventoryPlanInput,
  RadioState,
  type RadioStatusInput,
} from '../contract/messages.js';
import { debugLine } from '../shared/debug-line.js';
import {
  errorMessage,
  invalid,
  isSingulateError,
  SingulateError,
  type Violation,
} from '../shared/errors.js';
import type { Logger } from '../shared/log.js';
import {
  COLLECTED_MS,
  type NativeCapabilities,
  type NativePrediction,
  type NativeRadio,
  PHASE,
} from './addon/addon.js';
import type { RadioNews } from './events/event-log.js';
import { type CompiledPlan, compilePlan, MAX_REPORT_LATENCY_MS } from './plan/compile-plan.js';
import { planFacts } from './plan/plan-facts.js';
import { RECORD, RECORD_BYTES } from './record.js';
import { ReadsEncoder } from './reports/encode-reads.js';
import { ReadHub } from './reports/read-hub.js';
import { recordTimeMs } from './reports/report-filter.js';
import { ReportRules } from './reports/report-rules.js';
import { RoundsLog } from './rounds-log.js';

/** Longest wait of a read for others when nobody asked for another one, milliseconds. */
export const DEFAULT_LATENCY_MS = 10;
/** Less than this is not worth a wake of its own. */
const LEAST_WAIT_MS = 5;
/** Records taken out of the native queue in one call. */
const DRAIN_RECORDS = 1024;
/** Reports in one run: small enough that joined runs fill a message well. */
const RUN_REPORTS = 256;
/** Codes of the native core for what is right at another time, or on another radio. */
const STATE_CODES = new Set(['ERR_ALREADY_STARTED', 'ERR_NOT_RUNNING', 'ERR_NOT_SUPPORTED']);
/** Drains in one go before other work (gRPC, timers) gets its turn. */
const DRAINS_PER_TURN = 8;
/** How soon it is seen that a period of reading is over, while reports wait for that. */
const PERIOD_LOOK_MS = 250;

export interface InventoryEnd {
  inventoryId: string;
  reason: string;
  counters: InventoryCountersInput;
}

/** A module that may be away. */
export interface AwayModule {
  /** '' while it is there, else why it is not. */
  readonly away: string;
  /** What the status says of it. */
  status(): Partial<RadioStatusInput>;
}

/** Whom the inventory tells. */
export interface InventoryListeners {
  onEnd?(end: InventoryEnd): void;
  onNews?(news: RadioNews): void;
}

export class Inventory {
  readonly hub: ReadHub;
  readonly #module: AwayModule | undefined;
  #radio: NativeRadio;
  #capabilities: NativeCapabilities;
  readonly #log: Logger;
  readonly #listeners: InventoryListeners;
  readonly #buffer = Buffer.alloc(DRAIN_RECORDS * RECORD_BYTES);
  readonly #encoder = new ReadsEncoder();
  readonly #roundsLog: RoundsLog;
  #rules: ReportRules | undefined;
  /** A plan of the inventory waits for its start again after each end. */
  #hasPeriods = false;
  /** Air time of the last read, and when it was taken by the clock of the process, in milliseconds. */
  #lastRead = { airMs: 0, takenMs: 0 };
  #inventoryId = '';
  #owner = '';
  /** A plan of the inventory leaves the choice of the link profile to the radio. */
  #choosesLink = false;
  /** Of the plan: reads wait at least as long for others. */
  #reportLatencyMs = 0;
  /** That the log and the listeners know. */
  #linkProfile = '';
  #linkChanges = 0;
  /** An inventory was started and its end was not noticed yet. */
  #open = false;
  /** The module takes the settings of an inventory that is not open yet. Settles without an error. */
  #starting: Promise<unknown> | undefined;
  /** Of the one that ends. */
  #stopping: Promise<void> | undefined;
  /** What the radio knows of the latency; whether it collects reads for so long by itself. */
  #collecting = { ms: 0, byRadio: false };
  #timer: NodeJS.Timeout | undefined;
  #turn: NodeJS.Immediate | undefined;
  /** Inputs as they were told. */
  readonly #inputs = new Map<number, boolean>();

  /** @param module undefined: it is always there. */
  constructor(radio: NativeRadio, log: Logger, listeners: InventoryListeners, module?: AwayModule) {
    this.#radio = radio;
    this.#module = module;
    this.#capabilities = radio.capabilities();
    this.#log = log;
    this.#listeners = listeners;
    this.#roundsLog = new RoundsLog(log, () => this.#radio.status());
    this.hub = new ReadHub({ onUnblocked: () => this.#schedule(0) });
  }

  /**
   * @returns the inventory's id, when the module has taken the plan.
   * Throws INVALID (the plan), STATE (one runs already) or UNAVAILABLE (the module).
   */
  async start(plan: InventoryPlanInput, owner: string): Promise<string> {
    // One that is being stopped is no longer in the way.
    await this.#stopping;
    if (this.#starting !== undefined) {
      throw new SingulateError('STATE', 'another inventory is being started');
    }
    if (this.#open) {
      throw new SingulateError(
        'STATE',
        `an inventory of ${this.#owner || 'an unnamed owner'} runs already; stop it first`,
      );
    }
    this.#mustBeThere();
    const compiled = compilePlan(plan, this.#capabilities);
    const rules = new ReportRules(compiled, (record, offset, seen, rssi) => {
      this.#encoder.add(record, offset, seen, rssi);
      if (this.#encoder.count >= RUN_REPORTS) this.hub.publish(this.#encoder.finish());
    });
    try {
      const started = this.#radio.start(compiled.native, () => this.#onReadable());
      this.#starting = started.catch(() => {});
      await started;
    } catch (error) {
      throw fromNative(error);
    } finally {
      this.#starting = undefined;
    }
    this.#rules = rules;
    this.#reportLatencyMs = compiled.reportLatencyMs;
    this.#hasPeriods = startsAgain(compiled);
    this.#inventoryId = randomUUID();
    this.#owner = owner;
    this.#open = true;
    this.#linkProfile = compiled.native.linkProfile || (this.#capabilities.linkProfiles[0] ?? '');
    this.#linkChanges = 0;
    this.#choosesLink = choosesLink(compiled);
    this.#log.info(
      { inventoryId: this.#inventoryId, owner, antennas: compiled.native.antennas.length },
      'inventory started',
    );
    debugLine(this.#log, 'plan', () => ({ plan: 0, ...planFacts(compiled) }));
    this.#roundsLog.begin();
    const started = { inventoryId: this.#inventoryId, owner };
    this.#listeners.onNews?.({ inventoryStarted: started });
    this.#pump();
    return this.#inventoryId;
  }

  /**
   * Goes on with another plan at the end of the running round.
   * @param inventoryId '' = whichever runs.
   * @returns the number that its reads carry. Throws INVALID (the plan) or STATE.
   */
  change(plan: InventoryPlanInput, inventoryId: string): number {
    if (!this.#open || (inventoryId !== '' && inventoryId !== this.#inventoryId)) {
      const what = this.#open ? `inventory ${inventoryId} does not run` : 'no inventory runs';
      throw new SingulateError('STATE', what);
    }
    const compiled = compilePlan(plan, this.#capabilities);
    try {
      const number = this.#radio.change(compiled.native);
      this.#rules?.announce(number, compiled);
      this.#reportLatencyMs = compiled.reportLatencyMs;
      this.#hasPeriods ||= startsAgain(compiled);
      this.#choosesLink ||= choosesLink(compiled);
      const changed = { inventoryId: this.#inventoryId, plan: number };
      this.#log.info(changed, 'plan changed');
      debugLine(this.#log, 'plan', () => ({ plan: number, ...planFacts(compiled) }));
      this.#listeners.onNews?.({ planChanged: changed });
      return number;
    } catch (error) {
      throw fromNative(error);
    }
  }

  /** What is wrong with the plan; none = it can run. @throws UNAVAILABLE */
  violations(plan: InventoryPlanInput): readonly Violation[] {
    try {
      this.explain(plan, 0, 6);
      return [];
    } catch (error) {
      if (isSingulateError(error, 'INVALID')) return error.violations;
      throw error;
    }
  }

  /** The plan with its defaults, and what the timing model says of it. Throws INVALID. */
  explain(
    plan: InventoryPlanInput,
    tags: number,
    epcWords: number,
  ): { plan: CompiledPlan; prediction: NativePrediction | null } {
    if (this.#capabilities.antennas.length === 0) this.#mustBeThere();
    const compiled = compilePlan(plan, this.#capabilities);
    try {
      const prediction = this.#radio.predict(compiled.native, tags, epcWords);
      return { plan: compiled, prediction };
    } catch (error) {
      throw fromNative(error);
    }
  }

  /** Another one after a change of the region. */
  get radio(): NativeRadio {
    return this.#radio;
  }

  /** The radio, if its module is connected. Throws UNAVAILABLE. */
  get connectedRadio(): NativeRadio {
    this.#mustBeThere();
    return this.#radio;
  }

  get capabilities(): NativeCapabilities {
    return this.#capabilities;
  }

  /** The module is there, maybe for the first time. */
  moduleFound(): void {
    this.#capabilities = this.#radio.capabilities();
  }

  #mustBeThere(): void {
    const away = this.#module?.away ?? '';
    if (away !== '') {
      throw new SingulateError('UNAVAILABLE', `the radio module is not connected: ${away}`);
    }
  }

  /** What is remembered of a tag. */
  explainTag(epc: Uint8Array): ReturnType<ReportRules['explain']> | undefined {
    return this.#rules?.explain(epc);
  }

  setInput(port: number, high: boolean): void {
    try {
      this.#radio.setInput(port, high);
      this.#inputs.set(port, high);
    } catch (error) {
      throw fromNative(error);
    }
  }

  inputHigh(port: number): boolean {
    return this.#radio.inputHigh(port);
  }

  /**
   * Goes on with another radio of the same kind: the old one with other settings.
   * @param open Is not called while an inventory runs. @throws STATE
   */
  replaceRadio(open: () => NativeRadio): void {
    if (this.#open || this.#starting !== undefined) {
      throw new SingulateError('STATE', 'the radio reads; stop it first');
    }
    const radio = open();
    for (const [port, high] of this.#inputs) radio.setInput(port, high);
    this.#radio = radio;
    this.#collecting = { ms: 0, byRadio: false };
    this.#capabilities = radio.capabilities();
  }

  /**
   * Stops the radio and delivers what it still holds. No error if nothing runs. One that is being
   * started is stopped as well.
   * @param inventoryId '' = whichever runs. @throws STATE if another one runs.
   */
  async stop(inventoryId = ''): Promise<InventoryCountersInput> {
    if (this.#open && inventoryId !== '' && inventoryId !== this.#inventoryId) {
      throw new SingulateError('STATE', `inventory ${inventoryId} does not run, another one does`);
    }
    this.#stopping ??= this.#stop().finally(() => {
      this.#stopping = undefined;
    });
    await this.#stopping;
    return this.counters();
  }

  async #stop(): Promise<void> {
    if (!this.#open && this.#starting === undefined) return;
    await Promise.all([this.#radio.stop(), this.#starting]);
    // Its end may have been noticed meanwhile.
    if (!this.#open) return;
    while (this.#drainOnce() > 0);
    this.#finish();
  }

  status(): RadioStatusInput {
    const native = this.#radio.status();
    const state = this.#open ? RadioState.RADIO_STATE_READING : RadioState.RADIO_STATE_IDLE;
    const away = this.#module !== undefined && this.#module.away !== '';
    return {
      state: away ? RadioState.RADIO_STATE_DISCONNECTED : state,
      inventoryId: this.#inventoryId,
      endReason: this.#open ? '' : native.endReason,
      paced: this.#capabilities.paced,
      counters: this.counters(),
      owner: this.#owner,
      subscribers: this.hub.streamCount,
      waiting: this.#open && native.waiting,
      plan: this.#rules?.plan ?? 0,
      linkProfile: native.linkProfile,
      service: serviceUse(),
      ...this.#module?.status(),
    };
  }

  /** Whether its thread runs, and a number that changes as long as it comes round. */
  pulse(): { running: boolean; beats: number } {
    const { running, beats } = this.#radio.status();
    // Off the clock it waits for those who take the reads, for as long as they like.
    return { running: running && this.#capabilities.paced, beats };
  }

  counters(): InventoryCountersInput {
    const native = this.#radio.status();
    const rules = this.#rules?.counters;
    return {
      reads: native.reads,
      reported: rules?.reported ?? 0,
      filtered: rules?.filtered ?? 0,
      idFiltered: rules?.idFiltered ?? 0,
      dropped: native.dropped,
      uniqueTags: rules?.uniqueTags ?? 0,
      rounds: native.rounds,
      cycles: native.cycles,
      emptySlots: native.emptySlots,
      singleSlots: native.singleSlots,
      collidedSlots: native.collidedSlots,
      airTimeNs: native.airTimeNs,
      readsByAntenna: native.readsByAntenna,
      tooWeak: native.tooWeak,
      heldBack: native.heldBack,
      accessFailed: native.accessFailed,
      periods: native.periods,
      planChanges: native.planChanges,
      changeGapNs: native.changeGapNs,
      linkChecks: native.linkChecks,
      linkChanges: native.linkChanges,
      linkCheckNs: native.linkCheckNs,
    };
  }

  // Called from the native core. An error must not leave this function: it would vanish.
  #onReadable(): void {
    try {
      this.#pump();
    } catch (error) {
      this.#log.error({ err: error }, 'the read pump failed');
    }
  }

  /**
   * Moves what there is. While reads keep coming they are collected for the latency that the plan or
   * the most impatient subscriber allows, by the radio if it can; an idle one wakes us at its next read.
   */
  #pump(): void {
    this.#clearSchedule();
    if (!this.#open) return;
    let moved = 0;
    for (let i = 0; i < DRAINS_PER_TURN && !this.hub.blocked; i++) {
      const records = this.#drainOnce();
      moved += records;
      if (records < DRAIN_RECORDS) break;
    }
    this.#flushIntervals();
    this.#reportLinkProfile();
    if (this.hub.blocked) return; // onUnblocked pumps again
    if (moved >= DRAIN_RECORDS) this.#schedule(0);
    else this.#wait(moved);
  }

  #wait(moved: number): void {
    const longest = this.#capabilities.paced ? MAX_REPORT_LATENCY_MS : DEFAULT_LATENCY_MS;
    const latencyMs = Math.min(Math.max(this.hub.latencyMs, this.#reportLatencyMs), longest);
    if (latencyMs !== this.#collecting.ms) {
      this.#collecting = { ms: latencyMs, byRadio: this.#radio.collect(latencyMs) };
    }
    const waitMs = latencyMs - (this.#collecting.byRadio ? COLLECTED_MS : 0);
    if (moved === 0 || (this.#collecting.byRadio && waitMs < LEAST_WAIT_MS)) this.#waitForReads();
    else this.#schedule(Math.min(waitMs, this.#intervalEndsInMs()));
  }

  #waitForReads(): void {
    // Order matters: an end after this look is announced by the wake that arm() asks for.
    const phase = this.#radio.phase();
    if (!this.#radio.arm()) {
      this.#schedule(0);
    } else if (phase === PHASE.ended) {
      this.#finish();
    } else {
      if (phase === PHASE.waitingForStart) this.#reportWaiting();
      this.#wakeForReports();
    }
  }

  #drainOnce(): number {
    const records = this.#radio.drain(this.#buffer);
    const rules = this.#rules as ReportRules;
    const end = records * RECORD_BYTES;
    let last = 0;
    for (let at = 0; at < end; ) {
      rules.take(this.#buffer, at);
      last = at;
      at += RECORD_BYTES * (1 + (this.#buffer[at + RECORD.more] as number));
    }
    if (records > 0) {
      this.#lastRead = { airMs: recordTimeMs(this.#buffer, last), takenMs: performance.now() };
    }
    this.hub.publish(this.#encoder.finish());
    return records;
  }

  #reportLinkProfile(): void {
    if (!this.#choosesLink) return;
    const { linkProfile, linkChanges } = this.#radio.status();
    const previous = this.#linkProfile;
    this.#linkProfile = linkProfile;
    if (linkProfile === previous || linkChanges === this.#linkChanges) return;
    this.#linkChanges = linkChanges;
    const changed = { inventoryId: this.#inventoryId, linkProfile, previous };
    this.#log.info(changed, 'another link profile reads better');
    this.#listeners.onNews?.({ linkProfileChanged: changed });
  }

  /** Intervals also end when no further read comes; only a paced air clock can tell by itself. */
  #flushIntervals(): void {
    if (this.#capabilities.paced && this.#rules?.flushDueMs !== undefined) {
      this.#rules.flushUntil(this.#airNowMs());
      this.hub.publish(this.#encoder.finish());
    }
  }

  /** The air clock of a paced radio runs evenly on when the clock of the machine is set. */
  #airNowMs(): number {
    return this.#lastRead.airMs + performance.now() - this.#lastRead.takenMs;
  }

  /** Reading is over, for now or for good: nothing is kept for a read that may not come. */
  #reportWaiting(): void {
    this.#rules?.end();
    this.hub.publish(this.#encoder.finish());
  }

  /** Until reports are due without a read; infinite = none, or no clock that tells. */
  #intervalEndsInMs(): number {
    const due = this.#rules?.flushDueMs;
    if (due === undefined || !this.#capabilities.paced) return Number.POSITIVE_INFINITY;
    return Math.min(Math.max(1, due - this.#airNowMs()), 2 ** 31 - 1);
  }

  /** Reports are due without a read: at the end of an interval, and of a period of reading. */
  #wakeForReports(): void {
    let waitMs = this.#intervalEndsInMs();
    if (this.#hasPeriods && this.#rules?.waits) waitMs = Math.min(waitMs, PERIOD_LOOK_MS);
    if (Number.isFinite(waitMs)) this.#schedule(waitMs);
  }

  #finish(): void {
    this.#clearSchedule();
    this.#open = false;
    this.#roundsLog.end();
    this.#reportWaiting();
    const reason = this.#radio.status().endReason;
    const end = { inventoryId: this.#inventoryId, reason, counters: this.counters() };
    const { reads, reported, filtered, dropped } = end.counters;
    this.#log.info(
      { inventoryId: end.inventoryId, reason, reads, reported, filtered, dropped },
      'inventory ended',
    );
    this.#listeners.onNews?.({ inventoryEnded: end });
    this.#listeners.onEnd?.(end);
  }

  #schedule(ms: number): void {
    this.#clearSchedule();
    if (ms === 0) this.#turn = setImmediate(() => this.#onReadable());
    else this.#timer = setTimeout(() => this.#onTimer(), ms);
  }

  #onTimer(): void {
    // Nothing to clear: for a timer that has fired that is not cheap, and it fires for each message.
    this.#timer = undefined;
    this.#onReadable();
  }

  #clearSchedule(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#turn as NodeJS.Immediate);
    this.#timer = undefined;
    this.#turn = undefined;
  }
}

function startsAgain({ native }: CompiledPlan): boolean {
  return native.start.restart || native.start.everyMs > 0;
}

function choosesLink({ native }: CompiledPlan): boolean {
  return (native.linkProfileCandidates?.length ?? 0) > 0;
}

/** Errors of the native core carry a code and, for plans, violations. */
export function fromNative(error: unknown): SingulateError {
  const { code, violations } = error as { code?: string; violations?: Violation[] };
  if (code === 'ERR_INVALID_PLAN') return invalid(violations ?? []);
  if (code === 'ERR_INVALID_ARGUMENT') return invalid(violations ?? []);
  if (code !== undefined && STATE_CODES.has(code)) {
    return new SingulateError('STATE', errorMessage(error));
  }
  return new SingulateError('UNAVAILABLE', errorMessage(error));
}

export function serviceUse() {
  const { user, system } = process.cpuUsage();
  return {
    uptimeMs: Math.floor(process.uptime() * 1000),
    cpuTimeMs: Math.floor((user + system) / 1000),
    memoryBytes: process.memoryUsage.rss(),
  };
}
