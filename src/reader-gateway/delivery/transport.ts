/** How messages leave the reader: one implementation per endpoint type. */

export interface TransportState {
  /** Messages may be sent. */
  ready: boolean;
  /** The other side is known to be there. */
  connected: boolean;
  /** Why it is not; empty when connected. */
  error: string;
}

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
  /** One more message may be sent now. */
  hasRoom(): boolean;
  /**
   * @param framed It holds packets of the transport's framing.
   * @param done Called once: without an error when the message is delivered as well as the protocol
   *   can tell, with an error when it is not; not after close().
   */
  send(message: Buffer, done: (error?: Error) => void, framed: boolean): void;
  /** Ends the connection; messages on the way are given up. */
  close(): Promise<void>;
}
