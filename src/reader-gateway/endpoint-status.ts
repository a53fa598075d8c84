/** The state of one connection, for the statistics and for the supervisor of this process. */
export interface EndpointStatus {
  interface: 'data' | 'control' | 'management';
  name: string;
  description: string;
  type: string;
  state: 'connected' | 'disconnected';
  /** Why it is not connected; empty otherwise. */
  error: string;
  /** Events of a data connection, responses of a command connection. */
  sent: number;
  retained: number;
  dropped: number;
  /** Sent once more. */
  retried: number;
}
