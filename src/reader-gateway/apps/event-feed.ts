/**
 * Events on their way to an application. They are read from the one buffer of all streams: a
 * slow application costs no queue, and what it did not take in time is counted and reported.
 */
import type { Socket } from 'node:net';
import type { EventStream, EventStreams, StreamSink } from '../streams/event-streams.js';
import type { EventRun } from '../streams/replay-buffer.js';
import { USER_APP_EVENT_END } from './user-app-event.js';

const LINE_FEED = 0x0a;
const AGAIN_MS = 1000;

export class EventFeed {
  /** Events that the application did not take in time. */
  lost = 0;
  /** Events that it was sent. */
  sent = 0;
  readonly #streams: EventStreams;
  readonly #socket: Socket;
  #stream: EventStream | undefined;
  /** Number of the last event it got, or was reported lost. */
  #last = 0;
  /** It is behind: it goes on when its socket is empty. */
  #behind = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(streams: EventStreams, socket: Socket) {
    this.#streams = streams;
    this.#socket = socket;
    socket.on('drain', () => this.#drained());
  }

  /** @returns Why it cannot; undefined: events come from now on. */
  subscribe(): string | undefined {
    if (this.#stream !== undefined || this.#behind) return undefined;
    const { refusal } = this.#streams;
    if (refusal !== undefined) return refusal;
    this.#last = this.#streams.lastEvent;
    this.#stream = this.#streams.open(this.#sink(), undefined);
    return undefined;
  }

  unsubscribe(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#behind = false;
    this.#stream?.left();
    this.#stream = undefined;
  }

  #drained(): void {
    if (!this.#behind) {
      this.#stream?.pump();
      return;
    }
    if (this.#streams.refusal !== undefined) {
      // All streams are in use: nothing is written that could drain, so time has to do.
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        if (this.#behind) this.#drained();
      }, AGAIN_MS).unref();
      return;
    }
    this.#behind = false;
    this.#stream = this.#streams.open(this.#sink(), this.#last);
  }

  #sink(): StreamSink {
    const socket = this.#socket;
    return {
      get waiting() {
        return socket.writableLength;
      },
      send: (run) => {
        this.#last = run.last;
        const { bytes, events } = withoutAppEvents(run);
        this.sent += events;
        if (events > 0) socket.write(bytes);
      },
      notice: (json, eventNum) => {
        this.lost += eventNum - this.#last;
        this.#last = eventNum;
        socket.write(`${json}\n`);
      },
      // Both live on one machine: a connection that is broken says so.
      keepAlive: () => {},
      end: (cause) => {
        // Its place in the buffer is gone; it is somewhere in a loop over all streams.
        setImmediate(() => {
          if (this.#stream === undefined) return;
          this.#stream.left();
          this.#stream = undefined;
          if (cause !== 'too slow') return;
          this.#behind = true;
          if (socket.writableLength === 0) this.#drained();
        });
      },
      destroy: () => socket.destroy(),
    };
  }
}

/** Applications do not hear each other, nor themselves: an answer to each event would never end. */
function withoutAppEvents({ bytes, first, last }: EventRun): { bytes: Buffer; events: number } {
  if (!bytes.includes(USER_APP_EVENT_END)) return { bytes, events: last - first + 1 };
  const kept: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, start) + 1;
    const line = bytes.subarray(start, end);
    const tail = line.subarray(Math.max(0, line.length - USER_APP_EVENT_END.length));
    if (!tail.equals(USER_APP_EVENT_END)) kept.push(line);
    start = end;
  }
  return { bytes: Buffer.concat(kept), events: kept.length };
}
