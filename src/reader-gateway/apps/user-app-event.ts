/** Events of applications, beside the tag events, in the same form. */
import { formatEventTime } from '../../platform/clock.js';
import { type SplitEvent, splitText } from '../delivery/event-bytes.js';

export const USER_APP_EVENT = 'USERAPP';

/** How the text of each of them ends. */
export const USER_APP_EVENT_END = Buffer.from(`","type":"${USER_APP_EVENT}"}\n`);

/** @param data Whatever the application said, as JSON. */
export function userAppEvent(appname: string, data: unknown, timeMs: number): SplitEvent {
  const head = `{"data":{"appname":${JSON.stringify(appname)},"event":${JSON.stringify(data)},"eventNum":`;
  return splitText(head, `},"timestamp":"${formatEventTime(timeMs)}","type":"${USER_APP_EVENT}"}`);
}
