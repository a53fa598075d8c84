/** Tag read start (PUT /cloud/start, start). */
import { type Static, Type } from './schema.js';

export const Start = Type.Object(
  {
    doNotPersistState: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'false: reading resumes after a reboot of the reader as well',
      }),
    ),
  },
  { description: 'Start of tag reads' },
);
export type Start = Static<typeof Start>;
