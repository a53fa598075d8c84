/** How messages leave the reader: one implementation per endpoint type. */

/**
 * - down: nothing is taken.
 * - trying: only a message can tell whether the other side is there; one at a time is taken.
 * - up: the other side is there, and messages are taken.
 * - closing: for good; nothing is taken, and nothing is told any more.
 *
 * Which may follow which: transport-states.ts.
 */
export type TransportPhase = 'down' | 'trying' | 'up' | 'closing';

export interface TransportState {
  phase: TransportPhase;
  /** Why it is not up; empty when it is. */
  error: string;
}

/** Why a message is not sent again: the other side does not take it, however often it comes. */
export class MessageRefused extends Error {}

/**
 * The system of the other side has taken the message and its program has left in good order. Nobody
 * knows whether the program has looked at it.
 */
export class PerhapsArrived extends Error {}

export interface TransportHandlers {
  /** The state has changed. */
  onState(state: TransportState): void;
  /** There is room again, other than by a message that was done. */
  onRoom(): void;
  /** The transport itself will send so many messages, the oldest on the way, a second time. */
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
  /** Starts to connect, for ever. */
  open(handlers: TransportHandlers): void;
  /** One more message may be sent now; never of a transport that is down or closing. */
  hasRoom(): boolean;
  /**
   * Only while hasRoom().
   * @param framed It holds packets of the transport's framing.
   * @param done Called once: without an error when the message is delivered as well as the protocol
   *   can tell, with an error when it is not (MessageRefused and PerhapsArrived say more); not after close().
   */
  send(message: Buffer, done: (error?: Error) => void, framed: boolean): void;
  /** Ends the connection; messages on the way are given up. */
  close(): Promise<void>;
}
