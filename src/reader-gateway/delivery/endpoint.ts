/** One destination of tag events: numbers them, queues them, batches them, sends them. */
import type { Logger } from '../../shared/log.js';
import { EventRing, type WaitingEvent } from './ring.js';
import type { BatchingRule, RetentionRule } from './rules.js';
import type { SplitEvent } from './tag-event.js';
import type { Transport, TransportState } from './transport.js';

export interface EndpointSettings {
  name: string;
  batching: BatchingRule | undefined;
  retention: RetentionRule;
}

export interface EndpointCounters {
  /** Events, not messages. */
  sent: number;
  /** Events that wait or are on the way. */
  retained: number;
  dropped: number;
}

/** Queue of an endpoint that is connected but retains nothing. */
const CAPACITY_WITHOUT_RETENTION = 10_000;
/** An outage shorter than this leaves no backlog that is worth throttling. */
const SHORT_OUTAGE_MS = 1000;
const DROP_LOG_MS = 10_000;

export class Endpoint {
  readonly settings: EndpointSettings;
  readonly #transport: Transport;
  readonly #ring: EventRing;
  readonly #log: Logger;
  readonly #onChange: () => void;
  #state: TransportState = { ready: false, connected: false, error: '' };
  #nextEventNum = 1;
  #sent = 0;
  #dropped = 0;
  #droppedLogged = 0;
  #lastDropLogMs = 0;
  #dropTimer: NodeJS.Timeout | undefined;
  /** Messages on the way, oldest first; a failed one waits here for those before it. */
  #onTheWay: { events: WaitingEvent[]; outcome: 'pending' | 'failed' }[] = [];
  #onTheWayEvents = 0;
  #backlog = 0;
  #allowance = 0;
  #allowanceAtMs = 0;
  #lostAtMs = Date.now();
  #timer: NodeJS.Timeout | undefined;
  #flushing = false;
  #stopped = false;
  #idle: (() => void) | undefined;

  constructor(
    settings: EndpointSettings,
    transport: Transport,
    log: Logger,
    onChange: () => void,
    /** The endpoint that this one replaces: its numbers and counters go on. */
    previous?: Endpoint,
  ) {
    this.settings = settings;
    this.#transport = transport;
    this.#log = log;
    this.#onChange = onChange;
    this.#ring = new EventRing(settings.retention.maxEvents || CAPACITY_WITHOUT_RETENTION);
    if (previous !== undefined) {
      this.#nextEventNum = previous.#nextEventNum;
      this.#sent = previous.#sent;
      this.#dropped = previous.#dropped;
      this.#droppedLogged = previous.#droppedLogged;
    }
  }

  open(): void {
    if (this.#stopped) return;
    this.#transport.open((state) => this.#onState(state));
  }

  get state(): TransportState {
    return this.#state;
  }

  get counters(): EndpointCounters {
    return {
      sent: this.#sent,
      retained: this.#ring.size + this.#onTheWayEvents,
      dropped: this.#dropped,
    };
  }

  /** A tag event; its number is the next of this endpoint, sent or not. */
  offer({ head, tail }: SplitEvent): void {
    const eventNum = this.#nextEventNum++;
    if (!this.#state.ready && this.settings.retention.maxEvents === 0) {
      this.#drop(1);
      return;
    }
    // join, not +: the text is flat memory while it waits, not a tree of its parts.
    const json = [head, eventNum, tail].join('');
    this.#forgetOld();
    this.#drop(this.#ring.push({ json, bytes: Buffer.byteLength(json), atMs: Date.now() }));
    this.#pump();
  }

  /** Events of the endpoint that this one replaces; they come before all others. */
  adopt(events: readonly WaitingEvent[]): void {
    if (this.#stopped) {
      this.#drop(events.length);
      return;
    }
    this.#drop(this.#ring.putBack(events));
    this.#pump();
  }

  /**
   * Sends what can be sent within `flushMs`, then closes the connection.
   * @returns Events that could not be sent, oldest first. They are not counted as dropped.
   */
  async stop(flushMs: number): Promise<WaitingEvent[]> {
    this.#flushing = true;
    if (this.#state.ready && flushMs > 0 && !this.#isIdle()) {
      const idle = new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, flushMs);
      });
      this.#pump();
      await Promise.race([idle, timeout]);
      clearTimeout(timer);
    }
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#dropTimer);
    const left = this.#onTheWay.flatMap(({ events }) => events);
    this.#onTheWay = [];
    for (let event = this.#ring.shift(); event !== undefined; event = this.#ring.shift()) {
      left.push(event);
    }
    await this.#transport.close();
    return left;
  }

  #isIdle(): boolean {
    return this.#ring.size === 0 && this.#onTheWay.length === 0;
  }

  #onState(state: TransportState): void {
    if (this.#stopped) return;
    const before = this.#state;
    this.#state = state;
    if (before.connected && !state.connected) {
      this.#lostAtMs = Date.now();
      this.#log.warn({ endpoint: this.settings.name, reason: state.error }, 'endpoint lost');
    }
    if (!before.connected && state.connected) {
      this.#log.info({ endpoint: this.settings.name }, 'endpoint connected');
      this.#forgetOld();
      const short = Date.now() - this.#lostAtMs < SHORT_OUTAGE_MS;
      this.#backlog = short ? 0 : this.#ring.size;
      this.#allowance = 0;
      this.#allowanceAtMs = Date.now();
    }
    if (!state.ready && this.settings.retention.maxEvents === 0) this.#drop(this.#ring.clear());
    if (
      before.connected !== state.connected ||
      before.ready !== state.ready ||
      before.error !== state.error
    ) {
      this.#onChange();
    }
    this.#pump();
  }

  /** The age limit holds while the endpoint is away. */
  #forgetOld(): void {
    const { maxAgeMs } = this.settings.retention;
    if (this.#state.connected || maxAgeMs === Number.POSITIVE_INFINITY) return;
    const limit = Date.now() - maxAgeMs;
    let forgotten = 0;
    for (let event = this.#ring.oldest(); event !== undefined; event = this.#ring.oldest()) {
      if (event.atMs >= limit) break;
      this.#ring.shift();
      forgotten++;
    }
    this.#drop(forgotten);
  }

  #pump(): void {
    if (this.#stopped || (this.#timer !== undefined && !this.#mayBeDue())) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // Until the other side has answered once, one message is enough to find out.
    const window = this.#state.connected ? this.#transport.window : 1;
    while (this.#state.ready && this.#ring.size > 0 && this.#onTheWay.length < window) {
      const waitMs = this.#waitMs();
      if (waitMs > 0) {
        this.#timer = setTimeout(() => {
          this.#timer = undefined;
          this.#pump();
        }, Math.ceil(waitMs));
        return;
      }
      this.#sendNext();
    }
    if (this.#isIdle()) this.#idle?.();
  }

  /** While a timer runs only a full batch or the flush can be due before it. */
  #mayBeDue(): boolean {
    if (this.#flushing) return true;
    const { batching } = this.settings;
    return batching !== undefined && this.#backlog === 0 && this.#ring.bytes >= batching.maxBytes;
  }

  /** Milliseconds until the next message is due; 0 = now. */
  #waitMs(): number {
    if (this.#flushing) return 0;
    const { batching } = this.settings;
    if (this.#backlog > 0) return this.#throttleMs();
    if (batching === undefined || this.#ring.bytes >= batching.maxBytes) return 0;
    return (this.#ring.oldest()?.atMs ?? 0) + batching.intervalMs - Date.now();
  }

  /** The backlog of an outage leaves at `throttle` events per second. */
  #throttleMs(): number {
    const { throttle } = this.settings.retention;
    if (throttle === Number.POSITIVE_INFINITY) return 0;
    const now = Date.now();
    const stepMs = Math.max(20, this.settings.batching?.intervalMs ?? 0);
    const step = Math.max(1, Math.floor((throttle * stepMs) / 1000));
    const gained = ((now - this.#allowanceAtMs) * throttle) / 1000;
    this.#allowance = Math.min(step, this.#allowance + gained);
    this.#allowanceAtMs = now;
    const wanted = this.settings.batching === undefined ? 1 : Math.min(step, this.#backlog);
    if (this.#allowance >= wanted) return 0;
    // Several small messages go out together rather than each on a timer of its own.
    return ((Math.min(step, this.#backlog) - this.#allowance) / throttle) * 1000;
  }

  #sendNext(): void {
    const events = this.#takeEvents();
    const first = events[0];
    if (first === undefined) return;
    const message =
      this.settings.batching === undefined
        ? first.json
        : `[${events.map(({ json }) => json).join(',')}]`;
    const entry: { events: WaitingEvent[]; outcome: 'pending' | 'failed' } = {
      events,
      outcome: 'pending',
    };
    this.#onTheWay.push(entry);
    this.#onTheWayEvents += events.length;
    this.#transport.send(message).then(
      () => {
        if (this.#stopped) return;
        this.#onTheWay.splice(this.#onTheWay.indexOf(entry), 1);
        this.#onTheWayEvents -= events.length;
        this.#sent += events.length;
        this.#putFailedBack();
        this.#pump();
      },
      () => {
        if (this.#stopped) return;
        entry.outcome = 'failed';
        this.#putFailedBack();
        this.#pump();
      },
    );
  }

  #takeEvents(): WaitingEvent[] {
    const { batching } = this.settings;
    const maxBytes = batching?.maxBytes ?? 0;
    let maxEvents = batching === undefined ? 1 : Number.POSITIVE_INFINITY;
    const { throttle } = this.settings.retention;
    const throttled = this.#backlog > 0 && throttle !== Number.POSITIVE_INFINITY && !this.#flushing;
    if (throttled) maxEvents = Math.min(maxEvents, Math.floor(this.#allowance));
    const events: WaitingEvent[] = [];
    let bytes = 1;
    for (let next = this.#ring.oldest(); next !== undefined; next = this.#ring.oldest()) {
      // Each event brings its comma or the closing bracket.
      if (events.length > 0 && (events.length >= maxEvents || bytes + next.bytes + 1 > maxBytes)) {
        break;
      }
      this.#ring.shift();
      events.push(next);
      bytes += next.bytes + 1;
    }
    if (throttled) this.#allowance -= events.length;
    this.#backlog = Math.max(0, this.#backlog - events.length);
    return events;
  }

  /** Events of failed messages wait again, in their order, once nothing older is on the way. */
  #putFailedBack(): void {
    if (this.#onTheWay.some(({ outcome }) => outcome === 'pending')) return;
    const events = this.#onTheWay.flatMap((entry) => entry.events);
    this.#onTheWay = [];
    this.#onTheWayEvents = 0;
    if (events.length === 0) return;
    if (!this.#state.ready && this.settings.retention.maxEvents === 0) this.#drop(events.length);
    else this.#drop(this.#ring.putBack(events));
  }

  #drop(count: number): void {
    if (count === 0) return;
    this.#dropped += count;
    if (this.#dropTimer !== undefined) return;
    // The first drop is told at once, then at most one line per 10 s sums up.
    const waitMs = Math.max(0, this.#lastDropLogMs + DROP_LOG_MS - Date.now());
    this.#dropTimer = setTimeout(() => {
      this.#dropTimer = undefined;
      this.#lastDropLogMs = Date.now();
      const dropped = this.#dropped - this.#droppedLogged;
      this.#droppedLogged = this.#dropped;
      this.#log.warn({ endpoint: this.settings.name, dropped }, 'events dropped');
      this.#onChange();
    }, waitMs);
    this.#dropTimer.unref();
  }
}
