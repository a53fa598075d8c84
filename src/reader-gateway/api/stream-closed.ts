/** The last event of a stream that the reader ends. */
import { EventTime } from './event-time.js';
import { type Static, Type } from './schema.js';

export const StreamClosed = Type.Object(
  {
    data: Type.Object({ reason: Type.String({ description: 'For people' }) }),
    timestamp: EventTime(),
    type: Type.Literal('CLOSED'),
  },
  { description: 'The end of a stream, and why' },
);
export type StreamClosed = Static<typeof StreamClosed>;
