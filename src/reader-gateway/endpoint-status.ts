/** The state of one connection, for the statistics and for the supervisor of this process. */
export interface EndpointStatus {
  /** managementEvent: where management events go; control and management: of commands. */
  interface: 'data' | 'control' | 'management' | 'managementEvent';
  name: string;
  description: string;
  type: string;
  state: 'connected' | 'disconnected';
  /** Why it is not connected; empty otherwise. */
  error: string;
  /** Events, or responses of a command connection. */
  sent: number;
  retained: number;
  dropped: number;
  /** Sent once more. */
  retried: number;
}
