/**
 * How messages leave the reader: one implementation per endpoint type.
 *
 * Order of calls: open() once; then hasRoom() and send() as often as there are messages; close() once, also
 * of one that was never opened. All of them on the event loop: none may block, and none throws. What goes wrong is reported by
 * onState() or by the `done` of its message. A transport keeps only messages on the way. One
 * that is done with an error is the endpoint's again, which sends it before all others, waits a while after a failure
 * (longer after each), and knows of batching, retention and event numbers.
 */

/**
 * - down: nothing is taken. The first state; without retention all that waits is lost, counted.
 * - trying: only a message can tell whether the other side is there; one at a time is taken. For protocols
 *   without a connection.
 * - up: the other side is there, and messages are taken. The endpoint counts as connected.
 * - closing: for good; nothing is taken, and no handler is called any more.
 *
 * Which may follow which: transport-states.ts.
 */
export type TransportPhase = 'down' | 'trying' | 'up' | 'closing';

export interface TransportState {
  phase: TransportPhase;
  /** Why it is not up; empty when it is. */
  error: string;
}

/**
 * For `done`. Why a message is not sent again: the other side does not take it, however often it comes. Its events
 * are dropped, counted and reported in an OVERFLOW event. With any other error it is sent again, if there is retention or the
 * transport takes messages.
 */
export class MessageRefused extends Error {}

/**
 * For `done`. The system of the other side has taken the message and its program has left in good order. Nobody
 * knows whether the program has looked at it. It is sent again with retention, and counts as sent without.
 */
export class PerhapsArrived extends Error {}

/** May be called at any moment after open(), from within send() too; not after close(). */
export interface TransportHandlers {
  /** The state has changed, its phase or its error. TransportStates holds which may follow which. */
  onState(state: TransportState): void;
  /** There is room again, other than by a message that was done: the endpoint asks hasRoom() then. */
  onRoom(): void;
  /** The transport itself will send so many messages, the oldest on the way, a second time: they are counted only. */
  onRetry(messages: number): void;
}

/** Packets of a protocol around single events, for transports that write several at once. */
export interface Framing {
  /** Bytes of the packets around an event of so many bytes, without those of the event. */
  overheadOf(eventBytes: number): number;
  /** Bytes of an event in its packets: more than one copy if it goes to several topics. */
  readonly copies: number;
  /** Writes the packets of an event. @returns where they end. */
  write(target: Buffer, at: number, event: Buffer): number;
}

export interface Transport {
  /**
   * What a message may hold without batching: one event; several JSON objects one after the
   * other, each with a line end; or several events, each in packets of the protocol.
   */
  readonly unbatched: 'event' | 'lines' | Framing;
  /** True: once a message was delivered, nobody down there looks at its bytes any more. */
  readonly isDoneWithMessages: boolean;
  /**
   * Starts to connect, and again whenever the connection is lost, with its own pauses, for ever. Returns at once; an
   * error is a state (down, with one line for people).
   */
  open(handlers: TransportHandlers): void;
  /** One more message may be sent now; never of a transport that is down or closing. Asked before each send(). */
  hasRoom(): boolean;
  /**
   * Only while hasRoom(). The bytes stay as they are until `done`; afterwards their memory is used for others, if
   * isDoneWithMessages.
   * @param framed It holds packets of the transport's framing.
   * @param done Called once: without an error when the message is delivered as well as the protocol
   *   can tell, with an error when it is not (MessageRefused and PerhapsArrived say more); not after close().
   */
  send(message: Buffer, done: (error?: Error) => void, framed: boolean): void;
  /**
   * Ends the connection; messages on the way are given up: the endpoint has taken them back, and hears no `done` any more.
   * Resolves, in any state, when nothing of it is open any more (a port can be listened on again); never rejects.
   */
  close(): Promise<void>;
}
