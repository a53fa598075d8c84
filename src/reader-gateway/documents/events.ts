/** The events that leave the reader, by their names in the documents. */
import { DirectionEvent, RawDirectionEvent } from '../api/direction-event.js';
import { ManagementEvent } from '../api/management-events.js';
import { OverflowEvent } from '../api/overflow-event.js';
import type { TSchema } from '../api/schema.js';
import { TagEvent } from '../api/tag-event.js';
import { UserAppEvent } from '../api/user-app-event.js';
import { reference } from './schema-table.js';

export type Events = Readonly<Record<string, TSchema>>;

/** Of data connections and streams. */
export const DATA_EVENTS: Events = {
  tagEvent: TagEvent,
  directionEvent: DirectionEvent,
  rawDirectionEvent: RawDirectionEvent,
  userAppEvent: UserAppEvent,
  overflowEvent: OverflowEvent,
};

/**
 * Of management.event connections: heartbeat, gpi and so on. A schema that is named here, and in
 * RESOURCES (api/resources.ts), is in the AsyncAPI document, and so are the topics.
 */
export const MANAGEMENT_EVENTS: Events = { managementEvent: ManagementEvent };

export function eventOrBatch(events: Events): object {
  const single = { anyOf: Object.values(events).map(reference) };
  return { anyOf: [...single.anyOf, { type: 'array', items: single }] };
}
