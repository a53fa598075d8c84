/** How messages leave the reader: one implementation per endpoint type. */

export interface TransportState {
  /** Messages may be sent. */
  ready: boolean;
  /** The other side is known to be there. */
  connected: boolean;
  /** Why it is not; empty when connected. */
  error: string;
}

export interface Transport {
  /** Most messages on the way at a time. */
  readonly window: number;
  /** Starts to connect, for ever. `onState` is called on each change. */
  open(onState: (state: TransportState) => void): void;
  /** Resolves when the message is delivered as well as the protocol can tell; rejects when it is not. */
  send(message: string): Promise<void>;
  /** Ends the connection; messages on the way are given up. */
  close(): Promise<void>;
}
