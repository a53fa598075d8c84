/** One destination of events: numbers them, keeps them, batches them, sends them. */
import type { Clock, Timer } from '../../shared/clock.js';
import { debugLine, elapsedMs } from '../../shared/debug-line.js';
import { errorMessage } from '../../shared/errors.js';
import type { Logger } from '../../shared/log.js';
import { DropLog } from './drop-log.js';
import type { SplitEvent } from './event-bytes.js';
import { Losses, type Lost, overflowEvent } from './losses.js';
import { composeMessage, type Form, type Message, overflowMessage } from './message.js';
import { giveBack } from './message-memory.js';
import { EventNumbers, type Hold, type Holdings } from './numbers/event-numbers.js';
import { Pause } from './pause.js';
import { oldPosition, removeOldPosition } from './retention/old-position.js';
import { eventsOf, type Run, type Span, type WaitingEvent } from './retention/ring.js';
import { Spill } from './retention/spill.js';
import { EventStore } from './retention/store.js';
import type { BatchingRule, RetentionRule } from './rules.js';
import { Throttle } from './throttle.js';
import {
  MessageRefused,
  PerhapsArrived,
  type Transport,
  type TransportState,
} from './transport.js';

export interface EndpointSettings {
  name: string;
  batching: BatchingRule | undefined;
  retention: RetentionRule;
  /** Where events that do not fit in memory's place go; undefined = nowhere. */
  spill?: { folder: string; maxBytes: number } | undefined;
  /** Of its events; default: they begin at 1, and are forgotten with the process. */
  numbers?: EventNumbers;
  /** The event that reports lost ones; default: that of tag events. */
  overflow?: (lost: Lost) => string;
}

/** Of events, not of messages. */
export interface EndpointCounters {
  sent: number;
  /** They wait or are on the way. */
  retained: number;
  dropped: number;
  /** Sent once more, since it was not known that they had arrived. */
  retried: number;
}

/** What an endpoint leaves to its successor. */
export interface Leftover {
  /** Oldest first. */
  events: WaitingEvent[];
  losses: Span[];
  /** Events that are on disk, or lost. */
  onDisk: Span[];
  counters: Readonly<Counters>;
  /** Of all this, until the successor has it. */
  hold: Hold;
}

type Counters = Omit<EndpointCounters, 'retained'>;

/** An outage shorter than this leaves no backlog that is worth throttling. */
const SHORT_OUTAGE_MS = 1000;
/** Steps of a throttled backlog. */
const THROTTLE_STEP_MS = 20;
/** Without batching, for transports that take several events at once. */
const MANY_BYTES = 64 * 1024;
/** Sent without a turn of the event loop: a large backlog must not hold up everybody else. */
const TURN_BYTES = 1024 * 1024;
const OVERFLOW_EVENT_MS = 1000;
const WHILE_AWAY_MS = 1000;

export class Endpoint {
  readonly settings: EndpointSettings;
  readonly #transport: Transport;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #onChange: () => void;
  readonly #store: EventStore;
  readonly #throttle: Throttle;
  readonly #losses = new Losses();
  readonly #drops: DropLog;
  #spill: Spill | undefined;
  #state: TransportState = { phase: 'down', error: '' };
  readonly #pause: Pause;
  #turnBytes = 0;
  readonly #numbers: EventNumbers;
  readonly #hold: Hold;
  #counters: Counters = { sent: 0, dropped: 0, retried: 0 };
  /** Those of the endpoint that this one replaces, as far as they are known. */
  #before: Readonly<Counters> = { sent: 0, dropped: 0, retried: 0 };
  /** Oldest first. */
  #onTheWay: Message[] = [];
  #onTheWayEvents = 0;
  /** Messages that did not arrive, oldest first; they go before all others. */
  #again: Message[] = [];
  #lostAtMs: number;
  /** The time for all events that come together. */
  #nowMs = 0;
  #reportedAtMs = Number.NEGATIVE_INFINITY;
  #timer: Timer | undefined;
  #timerAtMs = 0;
  #awayTimer: Timer | undefined;
  #pumping = false;
  #flushing = false;
  /** The live events that wait are due, whatever the batching says. */
  #hurried = false;
  #stopped = false;
  #idle: (() => void) | undefined;

  constructor(
    settings: EndpointSettings,
    transport: Transport,
    log: Logger,
    clock: Clock,
    onChange: () => void,
    /** The endpoint that this one replaces: its counters go on. */
    previous?: Endpoint,
  ) {
    this.settings = settings;
    this.#transport = transport;
    this.#log = log;
    this.#clock = clock;
    this.#onChange = onChange;
    const { batching, retention } = settings;
    this.#store = new EventStore(retention, batching ? ',' : '\n', (span) => this.#lost(span));
    const stepMs = Math.max(THROTTLE_STEP_MS, batching?.intervalMs ?? 0);
    this.#throttle = new Throttle(retention.throttle, stepMs, clock.now());
    this.#drops = new DropLog(settings.name, log, onChange);
    this.#pause = new Pause(clock, () => this.#pump());
    this.#lostAtMs = clock.now();
    const { numbers = previous === undefined ? new EventNumbers() : previous.#numbers } = settings;
    this.#numbers = numbers;
    this.#hold = this.#numbers.hold(
      () => this.#holdings(),
      (span) => this.#lost(span),
    );
    if (previous === undefined) this.#takeUp();
    else this.#before = previous.#total;
  }

  /** @param left What the endpoint that this one replaces has left; it comes before all others. */
  open(left?: Leftover): void {
    if (left !== undefined) {
      this.#openSpill(left.onDisk);
      for (const span of left.losses) this.#losses.add(span);
      this.#before = left.counters;
      if (this.#keeps) this.#store.putFirst(left.events);
      else for (const { num, atMs } of left.events) this.#lost(spanOfOne(num, atMs));
      left.hold.end();
    }
    if (this.#stopped) return;
    this.#transport.open({
      onState: (state) => this.#onState(state),
      onRoom: () => this.#soon(),
      onRetry: (messages) => this.#onRetry(messages),
    });
    this.#whileAway();
  }

  /** `error` says why it is not connected. */
  get state(): { connected: boolean; error: string } {
    return { connected: this.#isConnected, error: this.#state.error };
  }

  /** The other side is known to be there. */
  get #isConnected(): boolean {
    return this.#state.phase === 'up';
  }

  /** Messages may be sent. */
  get #isReady(): boolean {
    return this.#isConnected || this.#state.phase === 'trying';
  }

  get counters(): EndpointCounters {
    const again = this.#again.reduce((sum, { events }) => sum + events, 0);
    return { ...this.#total, retained: this.#store.size + this.#onTheWayEvents + again };
  }

  get #total(): Counters {
    const [now, before] = [this.#counters, this.#before];
    return {
      sent: now.sent + before.sent,
      dropped: now.dropped + before.dropped,
      retried: now.retried + before.retried,
    };
  }

  /** Events that are not on their way. */
  get waiting(): number {
    return this.#store.size;
  }

  /** There are messages on the way. */
  get isSending(): boolean {
    return this.#onTheWay.length > 0;
  }

  /** Of what waits, in memory. */
  get memoryBytes(): number {
    return this.#store.memoryBytes;
  }

  /** An event; its number is the next of this endpoint, sent or not. */
  offer(event: SplitEvent): void {
    const num = this.#numbers.take();
    this.#soon();
    if (this.#keeps) this.#store.push(num, event, this.#nowMs);
    else this.#lost(spanOfOne(num, this.#nowMs));
  }

  /** What waits for a batch goes at once, or as soon as the endpoint is there. */
  sendWaiting(): void {
    this.#hurried = this.#store.live.size > 0;
    this.#soon();
  }

  /**
   * Sends what can be sent within `flushMs`, then closes the connection.
   * @param keep True: what is left may go to disk, for the next start.
   * @returns Events that could not be sent. They are not counted as dropped.
   */
  async stop(flushMs: number, keep = false): Promise<Leftover> {
    this.#flushing = true;
    if (this.#isReady && flushMs > 0 && !this.#isIdle()) {
      const idle = new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
      let timer: Timer | undefined;
      const timeout = new Promise<void>((resolve) => {
        timer = this.#clock.setTimeout(resolve, flushMs);
      });
      this.#pump();
      await Promise.race([idle, timeout]);
      timer?.cancel();
    }
    this.#stopped = true;
    this.#timer?.cancel();
    this.#awayTimer?.cancel();
    this.#pause.close();
    this.#drops.close();
    const held = this.#holdings();
    const messages = inOrder([...this.#onTheWay, ...this.#again]);
    this.#onTheWay = [];
    this.#again = [];
    const parts = messages.flatMap((message) => message.parts);
    const losses = [...messages.flatMap((message) => message.losses), ...this.#losses.take()];
    let events: WaitingEvent[] = [];
    let onDisk: Span[] = [];
    if (keep && this.#spill !== undefined) {
      this.#store.moveToDisk(parts);
      onDisk = [...held.events];
    } else {
      events = [...eventsOf(parts), ...this.#store.drain()];
      this.#spill?.close();
    }
    this.#hold.freeze(held);
    await this.#transport.close();
    return { events, losses, onDisk, counters: this.#total, hold: this.#hold };
  }

  /** Events find a place: there is retention, or the endpoint is there. */
  get #keeps(): boolean {
    return this.#isReady || this.settings.retention.maxEvents > 0;
  }

  #isIdle(): boolean {
    const { size } = this.#store;
    return size === 0 && this.#onTheWay.length === 0 && this.#again.length === 0;
  }

  #onState(state: TransportState): void {
    if (this.#stopped) return;
    const before = this.#state;
    this.#state = state;
    const wasConnected = before.phase === 'up';
    if (wasConnected && !this.#isConnected) {
      this.#lostAtMs = this.#clock.now();
      this.#log.warn({ endpoint: this.settings.name, reason: state.error }, 'endpoint lost');
    }
    if (!wasConnected && this.#isConnected) this.#connected();
    if (!this.#keeps) this.#giveUp();
    if (before.phase !== state.phase || before.error !== state.error) this.#onChange();
    if (this.#isReady) this.#pause.cut();
    this.#soon();
  }

  #connected(): void {
    this.#log.info({ endpoint: this.settings.name }, 'endpoint connected');
    const now = this.#clock.now();
    this.#forgetOld(now);
    if (this.#throttle.isOff) this.#store.mergeLanes();
    else if (now - this.#lostAtMs >= SHORT_OUTAGE_MS) this.#store.outageOver();
    this.#throttle.reset(now);
  }

  /** Without retention what waits for an endpoint that is gone is lost. */
  #giveUp(): void {
    for (const message of this.#again.splice(0)) this.#forget(message);
    this.#store.clear();
  }

  /** The age limit holds while the endpoint is away. */
  #forgetOld(now: number): void {
    const { maxAgeMs } = this.settings.retention;
    if (maxAgeMs === Number.POSITIVE_INFINITY) return;
    this.#again = this.#again.filter((message) => {
      const isOld = message.span !== undefined && message.span.lastAtMs < now - maxAgeMs;
      if (isOld) this.#forget(message);
      return !isOld;
    });
    this.#store.forgetOld(now);
  }

  /** Once for all events that come together. */
  #soon(): void {
    this.#numbers.changed();
    if (this.#pumping) return;
    this.#pumping = true;
    this.#nowMs = this.#clock.now();
    queueMicrotask(() => {
      this.#pumping = false;
      this.#pump();
    });
  }

  #pump(): void {
    if (this.#stopped) return;
    while (this.#maySend) {
      const message = this.#next(this.#clock.now());
      if (message === undefined) {
        this.#wakeWhenDue();
        break;
      }
      this.#send(message);
    }
    if (this.#isIdle()) this.#idle?.();
  }

  get #maySend(): boolean {
    if (!this.#isReady || !this.#transport.hasRoom()) return false;
    // Until the other side has answered once, one message is enough to find out.
    if (!this.#isConnected && this.#onTheWay.length > 0) return false;
    // Looked at last: the transport may have given up messages just now.
    return !this.#pause.isOn;
  }

  /** @returns The next message that is due. */
  #next(now: number): Message | undefined {
    const again = this.#again.shift();
    if (again !== undefined) return again;
    if (!this.#losses.isEmpty && now >= this.#reportedAtMs + OVERFLOW_EVENT_MS) {
      // A message of one event reports one loss.
      const losses = this.#losses.take(this.#form === 'event' ? 1 : undefined);
      if (this.#losses.isEmpty) this.#reportedAtMs = now;
      return overflowMessage(losses, this.#form, this.settings.overflow ?? overflowEvent);
    }
    const run = this.#takeBacklog(now) ?? this.#takeLive(now);
    return run === undefined ? undefined : composeMessage(run, this.#form);
  }

  get #form(): Form {
    return this.settings.batching === undefined ? this.#transport.unbatched : 'array';
  }

  /** Most events and bytes of a message: the brackets of an array need one byte more. */
  get #limits(): [events: number, bytes: number] {
    const { batching } = this.settings;
    if (batching !== undefined) return [Number.POSITIVE_INFINITY, batching.maxBytes - 1];
    return this.#transport.unbatched === 'event' ? [1, 0] : [Number.POSITIVE_INFINITY, MANY_BYTES];
  }

  #takeBacklog(now: number): Run | undefined {
    const { backlogSize } = this.#store;
    if (backlogSize === 0) return undefined;
    const allowed = this.#flushing ? Number.POSITIVE_INFINITY : this.#throttle.allowed(now);
    // Batches are as large as a step; single events leave as soon as they may.
    const isDue = this.settings.batching === undefined || this.#throttle.waitMs(backlogSize) <= 0;
    if (allowed < 1 || !(isDue || this.#flushing)) return undefined;
    const [maxEvents, maxBytes] = this.#limits;
    const run = this.#store.takeBacklog(Math.min(allowed, maxEvents), maxBytes);
    if (run !== undefined) this.#throttle.spend(run.count);
    return run;
  }

  #takeLive(now: number): Run | undefined {
    if (this.#liveWaitMs(now) > 0) return undefined;
    const run = this.#store.takeLive(...this.#limits);
    if (this.#store.live.size === 0) this.#hurried = false;
    return run;
  }

  #liveWaitMs(now: number): number {
    const { batching } = this.settings;
    const { live } = this.#store;
    if (live.size === 0) return Number.POSITIVE_INFINITY;
    if (batching === undefined || this.#flushing || this.#hurried) return 0;
    if (live.bytes >= batching.maxBytes) return 0;
    return Math.max(0, (live.oldestAtMs ?? 0) + batching.intervalMs - now);
  }

  /** One timer for whatever is due first; it is set again only if something is due before it. */
  #wakeWhenDue(): void {
    const now = this.#clock.now();
    const { backlogSize } = this.#store;
    let waitMs = this.#liveWaitMs(now);
    if (backlogSize > 0) waitMs = Math.min(waitMs, this.#throttle.waitMs(backlogSize));
    if (!this.#losses.isEmpty)
      waitMs = Math.min(waitMs, this.#reportedAtMs + OVERFLOW_EVENT_MS - now);
    if (waitMs === Number.POSITIVE_INFINITY) return;
    const atMs = now + Math.max(1, Math.ceil(waitMs));
    if (this.#timer !== undefined && this.#timerAtMs <= atMs) return;
    this.#timer?.cancel();
    this.#timerAtMs = atMs;
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = undefined;
      this.#pump();
    }, atMs - now);
  }

  #send(message: Message): void {
    this.#onTheWay.push(message);
    if (message.losses.some(({ reported }) => !reported)) this.#willBeReported(message.losses);
    this.#onTheWayEvents += message.events;
    this.#turnBytes += message.payload.length;
    if (this.#turnBytes >= TURN_BYTES) {
      this.#turnBytes = 0;
      this.#pause.forTurn();
    }
    const sinceMs = performance.now();
    const done = (error?: Error) => {
      if (this.#stopped) return;
      this.#report(message, sinceMs, error);
      this.#onTheWay.splice(this.#onTheWay.indexOf(message), 1);
      this.#onTheWayEvents -= message.events;
      if (error === undefined) this.#arrived(message);
      else this.#failed(message, error);
      this.#soon();
    };
    this.#transport.send(message.payload, done, message.framed);
  }

  /** If this process ends before it is known to have arrived, the next one tells exactly the same. */
  #willBeReported(losses: Span[]): void {
    for (const span of losses) span.reported = true;
    this.#numbers.write();
  }

  #report(message: Message, sinceMs: number, error: Error | undefined): void {
    const { name } = this.settings;
    debugLine(this.#log, error === undefined ? 'sent' : 'not sent', () => ({
      endpoint: name,
      events: message.events,
      bytes: message.payload.length,
      ms: elapsedMs(sinceMs),
      ...(error === undefined ? {} : { reason: errorMessage(error), onceMore: this.#keeps }),
    }));
  }

  #arrived(message: Message): void {
    this.#pause.forget();
    this.#counters.sent += message.events;
    this.#store.release(message.parts);
    if (this.#transport.isDoneWithMessages) giveBack(message.payload);
  }

  #failed(message: Message, error: Error): void {
    const { name, retention } = this.settings;
    const reason = errorMessage(error);
    // It cannot be sent again without retention, and is not reported as lost: it left this reader.
    if (error instanceof PerhapsArrived && retention.maxEvents === 0) {
      this.#arrived(message);
      return;
    }
    this.#pause.afterFailure();
    if (error instanceof MessageRefused) {
      this.#log.warn({ endpoint: name, events: message.events, reason }, 'message dropped');
      this.#drop(message);
      return;
    }
    if (!this.#keeps) {
      this.#forget(message);
      return;
    }
    this.#counters.retried += message.events;
    const newest = this.#again[this.#again.length - 1];
    this.#again.push(message);
    // They mostly come in their order.
    if (newest !== undefined && firstNum(newest) > firstNum(message)) inOrder(this.#again);
  }

  #forget(message: Message): void {
    for (const span of message.losses) this.#losses.add(span);
    this.#drop(message);
  }

  /** Its events are lost. What it reported of others is not reported again. */
  #drop(message: Message): void {
    if (message.span !== undefined) this.#lost(message.span);
    this.#store.release(message.parts);
  }

  #onRetry(messages: number): void {
    for (const { events } of this.#onTheWay.slice(0, messages)) this.#counters.retried += events;
  }

  #lost(span: Span): void {
    this.#counters.dropped += span.count;
    this.#losses.add(span);
    if (span.count > 0) this.#drops.add(span.count);
  }

  /** What is not known to have arrived, and is not reported. */
  #holdings(): Holdings {
    const messages = [...this.#again, ...this.#onTheWay];
    const sent = messages.map(({ span }) => span).filter((span) => span !== undefined);
    return {
      events: [...sent, ...this.#store.spans],
      losses: [...messages.flatMap(({ losses }) => losses), ...this.#losses.spans],
    };
  }

  /** Of the same endpoint before a restart, or before it was removed from the configuration. */
  #takeUp(): void {
    const { spill } = this.settings;
    const old = spill === undefined ? undefined : this.#takeUpOld(spill.folder);
    const { events, losses, unsure } = this.#numbers.takeLeft();
    const mayBeOnDisk = unsure === undefined ? events : [...events, unsure];
    for (const span of losses) this.#losses.add(span);
    if (spill === undefined) for (const span of mayBeOnDisk) this.#lost(span);
    else this.#openSpill(old === undefined ? mayBeOnDisk : [...mayBeOnDisk, old]);
    if (spill !== undefined) removeOldPosition(spill.folder);
  }

  /** @returns What software without a ledger of numbers may have left on disk. */
  #takeUpOld(folder: string): Span | undefined {
    const position = oldPosition(folder);
    if (position === undefined) return undefined;
    const { from, next, untold } = position;
    for (const span of untold) this.#losses.add(span);
    this.#numbers.atLeast(next);
    if (next === from) return undefined;
    const now = this.#clock.now();
    return { count: 0, firstNum: from, lastNum: next - 1, firstAtMs: now, lastAtMs: now };
  }

  /** @param needed Events that may be on disk; those that are not are lost. */
  #openSpill(needed: readonly Span[]): void {
    const { spill } = this.settings;
    if (spill === undefined || this.#stopped) return;
    const report = (error: unknown) =>
      this.#log.error({ endpoint: this.settings.name, err: error }, 'events on disk');
    try {
      this.#spill = new Spill(spill.folder, spill.maxBytes, needed, report);
    } catch (error) {
      // It goes on in memory.
      report(error);
      for (const span of needed) this.#lost(span);
      return;
    }
    for (const gap of this.#spill.gaps) this.#lost(gap);
    this.#store.attach(this.#spill);
    this.#numbers.atLeast(this.#spill.nextNum);
  }

  /** Every second: what became too old goes, and what is only in memory follows to disk. */
  #whileAway(): void {
    const hasAge = this.settings.retention.maxAgeMs !== Number.POSITIVE_INFINITY;
    if (this.#stopped || !(hasAge || this.#spill !== undefined)) return;
    this.#awayTimer = this.#clock.setTimeout(() => {
      if (!this.#isConnected) {
        this.#forgetOld(this.#clock.now());
        this.#store.spillAll();
      }
      this.#whileAway();
    }, WHILE_AWAY_MS);
  }
}

function inOrder(messages: Message[]): Message[] {
  return messages.sort((one, other) => firstNum(one) - firstNum(other));
}

/** A message about losses comes first. */
function firstNum({ span }: Message): number {
  return span?.firstNum ?? 0;
}

function spanOfOne(num: number, atMs: number): Span {
  return { count: 1, firstNum: num, lastNum: num, firstAtMs: atMs, lastAtMs: atMs };
}
