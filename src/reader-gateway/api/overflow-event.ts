/** The event that stands in the place of lost tag events. */
import { EventTime } from './event-time.js';
import { type Static, Type } from './schema.js';

export const OverflowEvent = Type.Object(
  {
    data: Type.Object({
      eventNum: Type.Integer({ minimum: 1, description: 'The number of the last lost event' }),
      firstEventNum: Type.Integer({ minimum: 1 }),
      lastEventNum: Type.Integer({ minimum: 1 }),
      lost: Type.Integer({
        minimum: 0,
        description:
          'Events; less than the range is long if several ranges were joined, or if a kill or a loss of power leaves open which numbers were used',
      }),
      firstTimestamp: Type.Optional(
        EventTime('When the first of them came; streams do not know it'),
      ),
      lastTimestamp: Type.Optional(EventTime('When the last of them came')),
    }),
    timestamp: EventTime('As lastTimestamp'),
    type: Type.Literal('OVERFLOW'),
  },
  { description: 'Tag events that were lost: how many, from which to which' },
);
export type OverflowEvent = Static<typeof OverflowEvent>;
