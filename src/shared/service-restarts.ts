/** What the supervisor tells a service about starts after the first ones. */

/** Type of the message. */
export const RESTARTS = 'restarts';

export type RestartReason = 'ended' | 'loop stood';

export interface ServiceRestarts {
  service: string;
  /** It ended by itself, or was killed because its event loop stood. */
  reason: RestartReason;
  count: number;
}
