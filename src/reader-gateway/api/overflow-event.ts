/** The event that stands in the place of lost tag events. */
import { type Static, Type } from './schema.js';

const TIME = '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\\.[0-9]{3}[+-][0-9]{4}$';
const Time = (description: string) => Type.String({ pattern: TIME, description });

export const OverflowEvent = Type.Object(
  {
    data: Type.Object({
      eventNum: Type.Integer({ minimum: 1, description: 'The number of the last lost event' }),
      firstEventNum: Type.Integer({ minimum: 1 }),
      lastEventNum: Type.Integer({ minimum: 1 }),
      lost: Type.Integer({
        minimum: 1,
        description: 'Events; less than the range is long if several ranges were joined',
      }),
      firstTimestamp: Type.Optional(Time('When the first of them came; streams do not know it')),
      lastTimestamp: Type.Optional(Time('When the last of them came')),
    }),
    timestamp: Time('As lastTimestamp'),
    type: Type.Literal('OVERFLOW'),
  },
  { description: 'Tag events that were lost: how many, from which to which' },
);
export type OverflowEvent = Static<typeof OverflowEvent>;
