/** What happened to the radio: the last events, numbered from 1, for all who watch. */
import { randomUUID } from 'node:crypto';
import type { RadioEventInput, RadioEventsInput } from '../../contract/messages.js';
import { invalid } from '../../shared/errors.js';

/** Events that are kept. */
export const EVENT_LIMIT = 1024;
/** In one message: a start with all that is kept is some of them. */
const MESSAGE_EVENTS = 256;

export interface EventTransport {
  /** @returns false if the transport is full: then `resume` must be called once it can take more. */
  send(events: RadioEventsInput): boolean;
}

/** An event without its number and time. */
export type RadioNews = Omit<RadioEventInput, 'sequence' | 'timeNs'>;

export class EventLog {
  readonly id = randomUUID();
  readonly #events: RadioEventInput[] = [];
  readonly #watchers = new Set<EventWatcher>();
  #next = 1;

  get nextSequence(): number {
    return this.#next;
  }

  get oldestSequence(): number {
    return this.#next - this.#events.length;
  }

  add(news: RadioNews): void {
    const event = { ...news, sequence: this.#next++, timeNs: Date.now() * 1e6 };
    this.#events.push(event);
    if (this.#events.length > EVENT_LIMIT) this.#events.shift();
    for (const watcher of this.#watchers) watcher.onEvent();
  }

  /** @param sequence At least the oldest. */
  from(sequence: number): RadioEventInput[] {
    const start = sequence - this.oldestSequence;
    return this.#events.slice(start, start + MESSAGE_EVENTS);
  }

  /**
   * @param after undefined: from now on. Of another log than this one: all that is kept.
   * @throws INVALID if there is no such event yet.
   */
  watch(transport: EventTransport, after: number | undefined, logId: string): EventWatcher {
    const isHere = logId === '' || logId === this.id;
    if (after !== undefined && isHere && after >= this.#next) {
      const message = `${after} given; allowed: at most ${this.#next - 1}, the last one`;
      throw invalid([{ field: 'after_sequence', message }]);
    }
    const wanted = after === undefined ? this.#next : isHere ? after + 1 : 1;
    const watcher: EventWatcher = new EventWatcher(this, transport, wanted, () =>
      this.#watchers.delete(watcher),
    );
    this.#watchers.add(watcher);
    watcher.begin();
    return watcher;
  }
}

/** One client that watches: a place in the log. */
export class EventWatcher {
  #begun = false;
  #full = false;
  #closed = false;
  #dropped = 0;

  constructor(
    private readonly log: EventLog,
    private readonly transport: EventTransport,
    private next: number,
    private readonly onClose: () => void,
  ) {}

  begin(): void {
    this.#sendAll();
    if (!this.#begun) this.#send([]);
  }

  onEvent(): void {
    this.#sendAll();
  }

  /** The transport can take more. */
  resume(): void {
    this.#full = false;
    this.#sendAll();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onClose();
  }

  #sendAll(): void {
    while (!this.#full && !this.#closed && this.next < this.log.nextSequence) {
      const { oldestSequence } = this.log;
      if (this.next < oldestSequence) {
        this.#dropped += oldestSequence - this.next;
        this.next = oldestSequence;
      }
      const events = this.log.from(this.next);
      this.next += events.length;
      this.#send(events);
    }
  }

  #send(events: RadioEventInput[]): void {
    this.#begun = true;
    const { id: logId } = this.log;
    this.#full = !this.transport.send({ events, dropped: this.#dropped, logId });
  }
}
