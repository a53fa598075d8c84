/** Management events in the form that endpoints take. */
import { formatEventTime } from '../../platform/clock.js';
import type { Component, ManagementEvent, ManagementEventType } from '../api/management-events.js';
import { type SplitEvent, splitText } from '../delivery/event-bytes.js';
import type { EventKind } from '../delivery/event-endpoints.js';
import type { Lost } from '../delivery/losses.js';

export const MANAGEMENT_EVENTS: EventKind = {
  interface: 'managementEvent',
  spillFolder: 'spill-management',
  overflow: managementOverflow,
};

/** The number stands beside the data, not in it as that of tag events does. */
export function splitManagementEvent(
  component: Component,
  type: ManagementEventType,
  data: object,
  timeMs: number,
): SplitEvent {
  const head = `{"component":"${component}","data":${JSON.stringify(data)},"eventNum":`;
  return splitText(head, `,"timestamp":"${time(timeMs)}","type":"${type}"}`);
}

/** Stands in the place of lost ones, with the number of the last. */
function managementOverflow({ count, firstNum, lastNum, firstAtMs, lastAtMs }: Lost): string {
  const event: ManagementEvent = {
    component: 'RG',
    data: {
      firstEventNum: firstNum,
      ...(firstAtMs === undefined ? {} : { firstTimestamp: time(firstAtMs) }),
      lastEventNum: lastNum,
      ...(lastAtMs === undefined ? {} : { lastTimestamp: time(lastAtMs) }),
      lost: count,
    },
    eventNum: lastNum,
    timestamp: time(lastAtMs ?? Date.now()),
    type: 'OVERFLOW',
  };
  return JSON.stringify(event);
}

function time(ms: number): string {
  return formatEventTime(Math.floor(ms));
}
