/**
 * Keeps the radio at what is wanted of it: reading with the present mode, or not reading;
 * across restarts of the radio service, of the radio module and of this service.
 */
import {
  RadioState,
  type RadioStatus,
  type ReadBatch,
  type TagReadInput,
} from '../../contract/messages.js';
import { counterToNumber } from '../../contract/time.js';
import { Backoff } from '../../shared/backoff.js';
import type { Changes } from '../../shared/changes.js';
import { debugLine } from '../../shared/debug-line.js';
import { errorMessage, isSingulateError, SingulateError } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import type { CompiledMode } from '../mode/compile.js';
import type { RunStore } from '../state/run-store.js';
import { PlanModes } from './plan-modes.js';
import { isHeld, OWNER, type RadioLink } from './radio-link.js';
import type { WantedPlan } from './wanted-plan.js';

/** How often the radio is asked what it does, while that is not what is wanted. */
const POLL_MS = 500;
/** And while it is: then it tells by itself what happens, but for what it cannot tell. */
const READING_POLL_MS = 2000;
/** Reads that were on their way when the inventory ended come within this time of each other. */
const TAIL_MS = 1000;
/** Ends that an inventory has by itself; any other end text is an error of the module. */
const NATURAL_ENDS: readonly string[] = [
  'duration',
  'cycles',
  'tag count',
  'no new tags',
  'input',
  'end of recording',
];

const UNCONFIRMED_STOP =
  'the radio is not connected and did not confirm the stop; it is stopped as soon as it answers';

type Phase =
  /** Not reading, and not wanted. */
  | 'idle'
  /** Wanted, and not (yet, or any more) running. */
  | 'starting'
  | 'reading';

export interface ReadingNeeds {
  link: RadioLink;
  wanted: WantedPlan;
  run: RunStore;
  /** Of all that can be set. */
  changes: Changes;
  log: Logger;
}

/** Reads that were taken under one mode, in their order. */
export type ReadsHandler = (reads: readonly TagReadInput[], mode: CompiledMode) => void;

/** Told when reading begins, and with the reason when it ends. */
export type ActivityListener = (isReading: boolean, reason: string) => void;

export class Reading {
  readonly #link: RadioLink;
  readonly #wanted: WantedPlan;
  readonly #run: RunStore;
  readonly #changes: Changes;
  readonly #log: Logger;
  readonly #onReads: ReadsHandler;
  readonly #backoff = new Backoff({ firstMs: POLL_MS, maxMs: 10_000 });
  #phase: Phase = 'idle';
  /** True until the state of an inventory of before our own start is known. */
  #resuming = false;
  #inventoryId = '';
  readonly #plans = new PlanModes();
  #acceptUntil = 0;
  #nextTryAt = 0;
  #lastTrouble = '';
  /** A change was not answered: the radio may read with another plan than the one that is wanted. */
  #planUnsure = false;
  #nextSequence = 0;
  #missed = 0;
  #reportedReading = false;
  readonly #listeners: ActivityListener[] = [];
  #queue: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #askedAtMs = 0;
  #closed = false;

  constructor({ link, wanted, run, changes, log }: ReadingNeeds, onReads: ReadsHandler) {
    this.#link = link;
    this.#wanted = wanted;
    this.#run = run;
    this.#changes = changes;
    this.#log = log;
    this.#onReads = onReads;
  }

  /**
   * Connects to the radio.
   * @param wanted 'resume' if reading went on when this service ended, 'start' to start afresh.
   * @returns When the first try to reach the radio, and to start it, is over.
   */
  async open(wanted: 'resume' | 'start' | 'nothing'): Promise<void> {
    if (wanted !== 'nothing') {
      this.#phase = 'starting';
      this.#resuming = wanted === 'resume';
      this.#poll();
    }
    // Before the first try: if this service ends in it, the next one goes on trying.
    const remembered = wanted === 'start' ? this.#remember() : undefined;
    await this.#link.open({
      onConnected: () => {
        this.#nextTryAt = 0;
        this.#wanted.forgetRegion();
        void this.#restoreRegion();
        void this.#synchronise();
      },
      onBatch: (batch) => this.#accept(batch),
    });
    await Promise.all([this.#queue, remembered]);
    if (!this.#closed) this.#link.watch(() => void this.#synchronise());
  }

  /** Leaves the radio as it is. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#link.close();
  }

  onActivity(listener: ActivityListener): void {
    this.#listeners.push(listener);
  }

  /** Why it does not read although it shall, as far as it is known; '' otherwise. */
  get trouble(): string {
    return this.#phase === 'starting' ? this.#lastTrouble : '';
  }

  /** Reports lost between the radio service and this one. */
  get missed(): number {
    return this.#missed;
  }

  /** Neither reading nor to read. */
  get isIdle(): boolean {
    return this.#phase === 'idle';
  }

  get isReading(): boolean {
    return this.#phase === 'reading';
  }

  /**
   * Starts reading with the present mode; a reader that reads already goes on.
   * @param persist True to resume after a reboot as well.
   * @throws STATE (someone else reads, or the mode does not fit the radio), UNAVAILABLE, STORAGE
   */
  start(persist: boolean): Promise<void> {
    return this.exclusive(async () => {
      // Somebody else may have ended it just now.
      if (this.#phase === 'reading') await this.#look().catch(unlessUnavailable);
      await this.#changes.make(async (change) => {
        const compiled =
          this.#phase === 'reading' ? undefined : await this.#wanted.forStart().catch(asState);
        await this.#run.started(change, persist);
        if (compiled !== undefined) await this.#startPlan(compiled).catch(asState);
      });
    });
  }

  /**
   * Stops the radio, no matter who started it. One that is away or does not answer is stopped when it is back.
   * @throws UNAVAILABLE: the stop is taken, but the radio did not confirm it;
   *   STORAGE: it is stopped, but would read again after a restart.
   */
  stop(): Promise<void> {
    return this.exclusive(async () => {
      let isConfirmed = true;
      await this.#link.stop().catch((error) => {
        unlessUnavailable(error);
        isConfirmed = false;
      });
      this.#phase = 'idle';
      this.#resuming = false;
      this.#acceptUntil = Date.now() + TAIL_MS;
      this.#tell(false, 'stopped');
      try {
        await this.#run.stopped();
      } catch (error) {
        if (!isSingulateError(error, 'STORAGE')) throw error;
        const text = `the reader is stopped, but will read again after a restart: ${error.message}`;
        throw new SingulateError('STORAGE', text);
      }
      if (!isConfirmed) throw new SingulateError('UNAVAILABLE', UNCONFIRMED_STOP);
    });
  }

  /**
   * By who has the reading for himself: a reader that reads goes on with this plan, another one
   * asks the radio whether it would take it. A refused plan changes nothing.
   * @throws INVALID, STATE, UNAVAILABLE
   */
  async apply(compiled: CompiledMode): Promise<void> {
    if (this.#phase === 'reading') await this.#changePlan(compiled);
    else await this.#wanted.tryOut(compiled);
  }

  async #startPlan(compiled: CompiledMode): Promise<void> {
    // The first reads may be here before the answer to the start.
    this.#plans.begin(0, compiled);
    this.#acceptUntil = Number.POSITIVE_INFINITY;
    try {
      this.#inventoryId = await this.#startOrTakeOver(compiled);
    } catch (error) {
      this.#acceptUntil = 0;
      throw error;
    }
    this.#begun();
  }

  async #startOrTakeOver(compiled: CompiledMode): Promise<string> {
    try {
      return await this.#link.start(compiled);
    } catch (error) {
      if (!isSingulateError(error, 'STATE') || isHeld(error)) throw error;
      const status = await this.#link.status();
      if (status.owner !== OWNER) throw inUse(status);
      // Ours, left over from a start whose answer was lost: this plan takes its place.
      await this.#link.stop();
      return await this.#link.start(compiled);
    }
  }

  /** A refused change changes nothing. */
  async #changePlan(compiled: CompiledMode): Promise<void> {
    this.#plans.expect(compiled);
    try {
      this.#plans.changed(await this.#link.change(compiled, this.#inventoryId));
      this.#planUnsure = false;
    } catch (error) {
      this.#plans.changed(undefined);
      this.#planUnsure = isSingulateError(error, 'UNAVAILABLE');
      if (!isSingulateError(error, 'STATE') || isHeld(error)) throw error;
      // It has just ended: the mode is for the next start.
      await this.#wanted.tryOut(compiled);
    }
  }

  #begun(): void {
    this.#phase = 'reading';
    this.#resuming = false;
    this.#planUnsure = false;
    this.#acceptUntil = 0;
    this.#backoff.reset();
    this.#lastTrouble = '';
    this.#tell(true, '');
    this.#poll();
  }

  async #ended(reason: string): Promise<void> {
    this.#log.info({ reason }, 'reading ended');
    this.#phase = 'idle';
    this.#resuming = false;
    this.#acceptUntil = Date.now() + TAIL_MS;
    this.#tell(false, reason);
    await this.#run.stopped().catch((error) => this.#notRemembered(error));
  }

  /** A disk that takes nothing keeps nobody from reading. */
  #notRemembered(error: unknown): void {
    const reason = errorMessage(error);
    this.#log.error({ reason }, 'whether it reads is not remembered for the next start');
  }

  #tell(isReading: boolean, reason: string): void {
    if (isReading === this.#reportedReading) return;
    this.#reportedReading = isReading;
    debugLine(this.#log, 'reading', () => ({ isReading, reason, phase: this.#phase }));
    for (const listener of this.#listeners) listener(isReading, reason);
  }

  #poll(): void {
    if (this.#timer !== undefined || this.#closed) return;
    this.#timer = setTimeout(async () => {
      const isDue = performance.now() >= this.#askedAtMs + READING_POLL_MS;
      if (this.#phase !== 'reading' || isDue) await this.#synchronise();
      this.#timer = undefined;
      // One more look after the tail: a stop that the radio did not hear is repeated then.
      if (this.#phase !== 'idle' || Date.now() < this.#acceptUntil + 2 * POLL_MS) this.#poll();
    }, POLL_MS);
  }

  /** A radio service that was restarted has the region that it came with. Never throws. */
  #restoreRegion(): Promise<void> {
    return this.exclusive(async () => {
      if (!this.#closed) await this.#wanted.ensureRegion();
    }).catch((error) => {
      const reason = errorMessage(error);
      this.#log.error({ reason }, 'the radio is not in the region that was set, and will not read');
    });
  }

  /** Compares what is wanted with what is, and does what is missing. Never throws. */
  #synchronise(): Promise<void> {
    return this.exclusive(() => this.#look()).catch((error) => {
      if (!isSingulateError(error, 'UNAVAILABLE')) this.#trouble(error);
    });
  }

  /** What #synchronise() does, for callers that are exclusive already. @throws UNAVAILABLE, STATE */
  async #look(): Promise<void> {
    if (this.#closed) return;
    this.#askedAtMs = performance.now();
    const status = await this.#link.status();
    if (status.state === RadioState.RADIO_STATE_READING) await this.#seenReading(status);
    else if (this.#waitsForModule(status)) return;
    else if (this.#phase === 'reading') await this.#seenIdle(status);
    else if (this.#phase === 'starting') await this.#tryStart(status);
  }

  /** Our inventory runs, and goes on by itself when its module is back. */
  #waitsForModule({ state, inventoryId, endReason }: RadioStatus): boolean {
    return (
      state === RadioState.RADIO_STATE_DISCONNECTED &&
      this.#phase === 'reading' &&
      inventoryId === this.#inventoryId &&
      endReason === ''
    );
  }

  async #seenReading(status: RadioStatus): Promise<void> {
    if (status.owner !== OWNER) {
      this.#acceptUntil = 0;
      if (this.#phase === 'reading') await this.#ended(`the radio is in use by ${status.owner}`);
      // Reading that was to resume waits until the radio is free.
      else if (this.#phase === 'starting') this.#trouble(inUse(status));
      return;
    }
    if (this.#phase === 'starting') {
      const compiled = await this.#wanted.present();
      this.#inventoryId = status.inventoryId;
      // Under whichever number it runs: it is the last mode that was set.
      this.#plans.begin(status.plan, compiled);
      this.#begun();
    } else if (this.#phase === 'idle' && Date.now() >= this.#acceptUntil) {
      // Stopped while the radio was away.
      await this.#link.stop();
    } else if (this.#phase === 'reading' && this.#planUnsure) {
      await this.#changePlan(await this.#wanted.present());
    }
  }

  async #seenIdle(status: RadioStatus): Promise<void> {
    const same = status.inventoryId === this.#inventoryId;
    const { endReason } = status;
    if (same && (NATURAL_ENDS.includes(endReason) || endReason === 'stopped')) {
      return this.#ended(endReason);
    }
    // The service or its module was restarted: what is wanted is started again.
    this.#phase = 'starting';
    this.#tell(false, endReason || 'the radio service was restarted');
    this.#nextTryAt = 0;
    await this.#tryStart(status);
  }

  async #tryStart(status: RadioStatus): Promise<void> {
    if (status.state !== RadioState.RADIO_STATE_IDLE || Date.now() < this.#nextTryAt) return;
    // It ended by itself while this service was away.
    if (this.#resuming && status.owner === OWNER && NATURAL_ENDS.includes(status.endReason)) {
      return this.#ended(status.endReason);
    }
    const waitMs = this.#backoff.next();
    this.#nextTryAt = Date.now() + waitMs;
    debugLine(this.#log, 'reading is started', () => ({ nextTryAfterMs: waitMs }));
    await this.#startPlan(await this.#wanted.forStart());
    this.#log.info('reading started');
  }

  async #remember(): Promise<void> {
    await this.#changes
      .make((change) => this.#run.started(change, false))
      .catch((error) => this.#notRemembered(error));
  }

  /** Logs a failure once, not again with every try that fails for the same reason. */
  #trouble(error: unknown): void {
    const reason = errorMessage(error);
    if (reason === this.#lastTrouble) return;
    this.#lastTrouble = reason;
    this.#log.warn({ reason }, 'reading cannot go on, it is tried again');
  }

  #accept(batch: ReadBatch): void {
    const first = counterToNumber(batch.firstSequence);
    const gap = first - this.#nextSequence;
    const counted = this.#nextSequence > 0;
    this.#nextSequence = first + batch.reads.length;
    // Reads of an inventory that someone else started are not ours to deliver.
    if (this.#phase !== 'reading') {
      const now = Date.now();
      if (now >= this.#acceptUntil) return;
      this.#acceptUntil = Math.max(this.#acceptUntil, now + TAIL_MS);
    }
    if (counted && gap > 0) this.#missed += gap;
    for (const [reads, mode] of this.#plans.split(batch.reads)) this.#onReads(reads, mode);
  }

  /** One change at a time, in the order they came. */
  exclusive<T>(action: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(action);
    this.#queue = done.catch(() => {});
    return done;
  }
}

/** For who goes on all the same. @throws what is not UNAVAILABLE */
export function unlessUnavailable(error: unknown): void {
  if (!isSingulateError(error, 'UNAVAILABLE')) throw error;
}

/** A request without a mode cannot be at fault for the one that was set before. */
function asState(error: unknown): never {
  if (!isSingulateError(error, 'INVALID')) throw error;
  const text = `reading cannot start with what is set: ${error.message}`;
  throw new SingulateError('STATE', text);
}

function inUse(status: RadioStatus): SingulateError {
  const owner = status.owner === '' ? 'another client' : status.owner;
  return new SingulateError(
    'STATE',
    `the radio is in use by ${owner}; stop it first (stop ends that inventory too)`,
  );
}
