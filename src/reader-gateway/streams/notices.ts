/** What a stream says about itself, in the form of events. */
import { formatEventTime } from '../../platform/clock.js';

/** Events that were asked for are gone. Its number is the last of them: resuming goes on behind. */
export function overflowNotice(firstLost: number, lastLost: number): string {
  const data = {
    eventNum: lastLost,
    firstEventNum: firstLost,
    lastEventNum: lastLost,
    lost: lastLost - firstLost + 1,
  };
  return notice('OVERFLOW', data);
}

/** The last that a stream says. */
export function closedNotice(reason: string): string {
  return notice('CLOSED', { reason });
}

function notice(type: string, data: Record<string, unknown>): string {
  return JSON.stringify({ data, timestamp: formatEventTime(Date.now()), type });
}
