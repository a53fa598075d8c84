/** One client that watches the lines, at its own pace. What waits for it is bounded. */
import type { LineInput, LinesUpdateInput } from '../../contract/messages.js';

/** Changes that wait for a slow client at most. */
export const WAITING_LIMIT = 256;

export interface LineTransport {
  /** @returns false if the transport is full: then `resume` must be called once it can take more. */
  send(update: LinesUpdateInput): boolean;
}

export class LineWatcher {
  readonly #transport: LineTransport;
  readonly #list: () => { lines: LineInput[]; fault: string };
  readonly #onClose: () => void;
  #waiting: LineInput[] = [];
  #dropped = 0;
  /** Something is to be told: changes, the fault, or everything. */
  #due = false;
  #complete = true;
  #full = false;
  #closed = false;

  /** @param list All lines, as they are now. */
  constructor(
    transport: LineTransport,
    list: () => { lines: LineInput[]; fault: string },
    onClose: () => void,
  ) {
    this.#transport = transport;
    this.#list = list;
    this.#onClose = onClose;
  }

  /** Tells all lines. */
  begin(): void {
    this.#due = true;
    this.#send();
  }

  push(line: LineInput): void {
    if (this.#waiting.length >= WAITING_LIMIT) {
      // The levels of the end are worth more than a part of the way to it.
      this.#dropped += this.#waiting.length;
      this.#waiting = [];
      this.#complete = true;
    }
    if (this.#complete) this.#dropped++;
    else this.#waiting.push(line);
    this.#due = true;
    this.#send();
  }

  faultChanged(): void {
    this.#due = true;
    this.#send();
  }

  /** The transport can take more. */
  resume(): void {
    this.#full = false;
    this.#send();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#waiting = [];
    this.#onClose();
  }

  #send(): void {
    if (!this.#due || this.#full || this.#closed) return;
    const { lines, fault } = this.#list();
    const update = {
      lines: this.#complete ? lines : this.#waiting,
      complete: this.#complete,
      dropped: this.#dropped,
      fault,
    };
    this.#due = false;
    this.#complete = false;
    this.#waiting = [];
    this.#full = !this.#transport.send(update);
  }
}
