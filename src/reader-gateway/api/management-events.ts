/** The managementEventConfig part of the reader configuration. */
import { type Static, Type } from './schema.js';

const limit = { type: 'integer', minimum: 0 };

// The shapes of single entries differ between readers (boolean here, threshold there): both are taken.
const Entry = Type.Unsafe<boolean | Record<string, number>>({
  type: ['boolean', 'object'],
  properties: {
    threshold: limit,
    reportIntervalInSec: limit,
    ambient: limit,
    pa: limit,
  },
});
const Entries = Type.Optional(Type.Record(Type.String(), Entry));
const Names = Type.Optional(Type.Array(Type.String()));

export const ManagementEventConfig = Type.Object(
  {
    errors: Entries,
    warnings: Entries,
    heartbeat: Type.Optional(
      Type.Object({
        fields: Type.Object({
          radio_control: Names,
          reader_gateway: Names,
          system: Names,
          userapps: Names,
          userDefined: Type.Optional(Type.Object({}, { additionalProperties: true })),
        }),
        interval: Type.Integer({ minimum: 1, description: 'Seconds' }),
      }),
    ),
    gpiEvents: Type.Optional(Type.Boolean({ default: true })),
    gpoEvents: Type.Optional(Type.Boolean({ default: true })),
    userappEvents: Type.Optional(Type.Boolean({ default: true })),
  },
  { description: 'Management events; stored, not sent by this version' },
);
export type ManagementEventConfig = Static<typeof ManagementEventConfig>;
