/** The state of one connection, for the statistics and for the supervisor of this process. */
export interface EndpointStatus {
  /** managementEvent: where management events go; control and management: of commands. */
  interface: 'data' | 'control' | 'management' | 'managementEvent';
  name: string;
  description: string;
  type: string;
  state: 'connected' | 'disconnected';
  /** Why it is not connected, and what is wrong with how it is set; empty otherwise. */
  error: string;
  /** Events, or responses of a command connection. */
  sent: number;
  retained: number;
  dropped: number;
  /** Sent once more. */
  retried: number;
}

/** Both of them, as far as there are any. @param fault What is wrong with how it is set. */
export function errorText(error: string, fault: string): string {
  return [error, fault].filter((text) => text !== '').join('; ');
}
