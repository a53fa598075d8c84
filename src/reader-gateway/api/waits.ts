/** The longest times that can be set. */

/** Milliseconds, almost 25 days: what a timer of the runtime can wait at a time. */
export const MAX_WAIT_MS = 2_147_483_647;

/** Seconds, for times set in seconds: rounded down to a number that people can remember. */
export const MAX_WAIT_S = 2_000_000;
