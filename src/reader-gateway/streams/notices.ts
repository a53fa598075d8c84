/** What a stream says about itself, in the form of events. */
import { formatEventTime } from '../../platform/clock.js';
import { overflowEvent } from '../delivery/losses.js';

/**
 * Events that were asked for are gone. Its number is the last of them: resuming goes on after it.
 * @param count Fewer than the numbers if some of them may never have been used.
 */
export function overflowNotice(firstNum: number, lastNum: number, count: number): string {
  return overflowEvent({ count, firstNum, lastNum });
}

export const REVOKED = 'the token is not valid any more: the password was changed';

/** The last that a stream says. */
export function closedNotice(reason: string): string {
  const timestamp = formatEventTime(Date.now());
  return JSON.stringify({ data: { reason }, timestamp, type: 'CLOSED' });
}
