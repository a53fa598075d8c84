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

export interface Transport {
  /**
   * What a message may hold without batching: one event, or several JSON objects one after the
   * other, each with a line end.
   */
  readonly unbatched: 'event' | 'lines';
  /** Starts to connect, for ever. */
  open(handlers: TransportHandlers): void;
  /** One more message may be sent now. */
  hasRoom(): boolean;
  /**
   * @param done Called once: without an error when the message is delivered as well as the protocol
   *   can tell, with an error when it is not; not after close().
   */
  send(message: Buffer, done: (error?: Error) => void): void;
  /** Ends the connection; messages on the way are given up. */
  close(): Promise<void>;
}
