/** Events of user applications, among the tag data events. */
import { EventTime } from './event-time.js';
import { type Static, Type } from './schema.js';

export const UserAppEvent = Type.Object(
  {
    data: Type.Object({
      appname: Type.String(),
      event: Type.Unknown({ description: 'Whatever the application said' }),
      eventNum: Type.Integer({ minimum: 1, description: 'Per connection, without gaps' }),
    }),
    timestamp: EventTime(),
    type: Type.Literal('USERAPP'),
  },
  { description: 'What a user application said' },
);
export type UserAppEvent = Static<typeof UserAppEvent>;
